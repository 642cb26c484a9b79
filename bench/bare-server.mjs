// The baseline of `bench/start.ts`: a server of the same framework that serves one page and knows nothing.
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/", (context) => context.html("<!doctype html><title>bare</title>"));
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, "127.0.0.1", () => console.log(`bare is at http://127.0.0.1:${server.address().port}/`));
