import fc from "fast-check";
import { countTokens as countOld } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countNew } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countTokens } from "../src/tokens.ts";

function exact(text: string): number {
  return Math.max(countOld(text), countNew(text));
}

const english =
  "release deploy review merge invoice customer onboarding database migration accessibility spreadsheet presentation kubernetes postgres typescript summarise the a of for when user asks to check and write new report notes team weekly".split(
    " ",
  );
const texts = {
  English: "Reviews a pull request for correctness, security and style. Use when the user asks to check a change.",
  German: "Prüft Rechnungen und Verträge auf Vollständigkeit. Für alle, die Belege ablegen müssen.",
  French: "Rédige des comptes rendus de réunion à partir de notes. À utiliser quand l'utilisateur le demande.",
  Spanish: "Resume documentos largos y extrae las tareas pendientes. Úsalo cuando el usuario lo pida.",
  Chinese: "根据会议记录撰写周报，并整理待办事项。当用户需要总结或计划时使用。",
  Japanese: "請求書を確認し、足りない項目を一覧にします。ユーザーが確認を頼んだときに使います。",
  Korean: "회의록을 바탕으로 주간 보고서를 작성합니다. 사용자가 요청할 때 사용하세요.",
  Russian: "Проверяет документы и составляет список задач. Используйте, когда пользователь просит о проверке.",
  Arabic: "يراجع المستندات ويستخرج المهام المطلوبة عند طلب المستخدم.",
  Hindi: "दस्तावेज़ों की जाँच करता है और कार्यों की सूची बनाता है।",
  Thai: "ตรวจสอบเอกสารและสรุปรายการงานเมื่อผู้ใช้ร้องขอ",
  Greek: "Ελέγχει έγγραφα και συντάσσει λίστα εργασιών.",
  Hebrew: "בודק מסמכים ומכין רשימת משימות לפי בקשה.",
  code: 'for (const [key, value] of Object.entries(map)) { if (value?.isOpen()) console.log(key, value ?? "none"); }',
  paths: "/usr/local/share/skills/pdf-forms/references/field_types.md",
  identifiers: "getHTTPResponseCode parseXMLDocument PostgreSQL OAuth2 k8s-cluster-autoscaler-v2",
  medicines: "Zopiclone, valsartan, rosuvastatin, semaglutide, rivaroxaban, secukinumab, tofacitinib, bortezomib.",
  plants: "Quercus robur, Fagus sylvatica, Taraxacum officinale, Hypericum perforatum, Achillea millefolium.",
  Finnish: "Tarkistaa asiakirjat ja kirjoittaa viikoittaisia raportteja, kun joku sitä pyytää.",
  Indonesian: "Memeriksa dokumen dan menyusun laporan mingguan ketika pengguna memintanya.",
  Welsh: "Mae hwn yn adolygu dogfennau ac yn ysgrifennu adroddiadau wythnosol.",
  lines: "apple\nriver\nstone\nhouse\ncloud\ngarden\n",
  numbers: "2026-11-16 03:45:09 v24.21.0 1,536 of 1,000,000 bytes 0.5 %",
  emoji: "✅ done 🚀 launch 📄 file 👩‍💻 dev",
};

describe("the estimate of tokens", () => {
  it.each(Object.entries(texts))("is never below an exact count: %s", (_, text) => {
    expect(countTokens(text)).toBeGreaterThanOrEqual(exact(text));
  });

  it("is never below an exact count of a catalog, nor twice as high", () => {
    const words = (least: number, most: number) =>
      fc.array(fc.constantFrom(...english), { minLength: least, maxLength: most });
    const entry = fc.tuple(words(1, 4), words(5, 60)).map(([name, description]) => {
      return `<skill>\n<name>${name.join("-")}</name>\n<description>${description.join(" ")}.</description>\n</skill>`;
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
        const text = entries.join("\n");
        const counted = exact(text);
        expect(countTokens(text)).toBeGreaterThanOrEqual(counted);
        expect(countTokens(text)).toBeLessThan(counted * 2);
      }),
    );
  });

  it("counts nothing for nothing", () => {
    expect(countTokens("")).toBe(0);
  });
});
