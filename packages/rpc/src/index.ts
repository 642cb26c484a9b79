export { createRpcHandler, type RpcHandler, type RpcMethod } from "./json-rpc.ts";
export { createSkillMethods, type RpcSkills } from "./skill-methods.ts";
