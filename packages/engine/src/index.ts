export { createEngine, type Engine, type EngineOptions } from "./engine.ts";
