// Ranks skills by meaning as well as by words, with the embeddings of any provider that speaks OpenAI's protocol.
//   OPENAI_API_KEY=… node examples/01-search-by-meaning.ts "my notes are a mess"
import { openSkills } from "skillholm";

const base = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";

const skills = await openSkills({
  embed: async (texts) => {
    const response = await fetch(`${base}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
      body: JSON.stringify({ model: "text-embedding-3-small", input: texts }),
    });
    if (!response.ok) throw new Error(`the provider answered ${response.status}`);
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return data.map(({ embedding }) => embedding);
  },
});

const query = process.argv[2] ?? "why does nobody find what I wrote for my agent?";
const { hits, problem } = await skills.search(query, { limit: 3 });
if (problem !== undefined) throw new Error(problem);
if (hits.length === 0) throw new Error("Nothing was found at all.");
for (const { skill, score, reason } of hits) console.log(score.toFixed(2), skill.name, reason);
