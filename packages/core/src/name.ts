/** What a name is compared by: names that look the same are the same. */
export function nameKey(name: string): string {
  if (plain.test(name)) return name;
  return name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

/** The last part of a path. */
export function folderOf(dir: string): string {
  return dir.slice(Math.max(dir.lastIndexOf("/"), dir.lastIndexOf("\\")) + 1);
}

const plain = /^[ -~]*$/;
