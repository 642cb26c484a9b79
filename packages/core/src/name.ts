/** What a name is compared by: names that look the same are the same. */
export function nameKey(name: string): string {
  if (plain.test(name)) return name;
  return name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

const plain = /^[ -~]*$/;
