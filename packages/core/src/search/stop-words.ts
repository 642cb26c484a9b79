// Words that every request or description holds, and so tell none from another. Made for skills: "use", "user", "when". Those
// of other languages only where they are no words of the trade in English, as the German "bin" is.
export const stopWords: ReadonlySet<string> = new Set(
  `a about actually after again all already also always am an and any anything are aren as ask asked asks at be because been before being but by
   can cannot could couldn d did didn do does doesn doing don done for from get gets getting give given gives go going good
   got had has hasn have haven having hello help helps her here hey hi him his how i if im in into is isn it its just know
   let like ll m make makes making many may maybe me mention mentions more most much my need needs no nor not now of ok okay on once one
   or other our out over please re really s shall she should shouldn so some somebody someone something still such sure t tell
   than thank thanks that the their them then there these they thing things this those through to too try trying up us use
   used user users uses using ve very via want wants was way we were weren what when whenever where whether which while who
   whom why will with within won work working works would wouldn yes yet you your
   aber als auch auf bei bitte das dass dem der des du ein eine einem einen einer es für habe haben ich ihr im
   ist kann kannst mein meine meinen mich mir mit nach nicht noch oder sein sich sie sind soll über um und uns unser von wenn
   werden wie wir wird zu zum zur
   au aux avec ce ces cette dans de du elle en est et être il ils je la le les leur ma mes moi mon nous ou pas peux
   que qui sa se ses sont ta te tes tu une un vos votre vous
   al como con cual cuando de del donde el ella ellos es esta estas este esto estos lo los las mi mis muy nos
   nuestra nuestro o para pero por porque puede puedes que quiero se ser si sobre su sus también te tiene un
   una y ya yo
   の 的 了 是 在 我 有 和 就 不 人 都 一 上 也 到 说 要 去 你 会 着 看 好 这 那 他 她 它 们 吗 吧 呢 请 把 被 让 给 帮 用
   我们 你们 他们 这个 那个 一个 什么 怎么 可以 需要 帮我 一下 没有 不是 现在 还是 如何 为什么 使用 用户 请求 进行`.split(
    /\s+/,
  ),
);

/** Other spellings of one word. */
export const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dotnet: ".net",
    cpp: "c++",
    csharp: "c#",
    fsharp: "f#",
    js: "javascript",
    ts: "typescript",
    py: "python",
    k8s: "kubernetes",
    db: "database",
    docs: "document",
    repo: "repository",
    repos: "repository",
    a11y: "accessibility",
    i18n: "internationalization",
    l10n: "localization",
  }),
);
