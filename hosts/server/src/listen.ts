import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { SkillError } from "@skillholm/core";

/** Refuses what Node would take for every address there is. */
export function checkHost(host: string): void {
  if (host === "")
    throw new SkillError("invalid-input", "--host is empty. It should be a name or address, as 127.0.0.1.");
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const graceMs = 1000;

/** Ends a server; `work` is what has to be done first, while no new request comes. */
export async function endServer(server: Server, work: () => Promise<unknown>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await work();
  // Who still reads the end of an answer gets a moment.
  await Promise.race([closed, setTimeout(graceMs, undefined, { ref: false })]);
  server.closeAllConnections();
}

/** Listens on the port, or on one of the next that is free. */
export async function listen(server: Server, host: string, wanted: number, attempts = 20): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, host, resolve);
      });
      server.removeAllListeners("error");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      server.removeAllListeners("error");
      const { code, message } = error as NodeJS.ErrnoException;
      const last = wanted === 0 || port === 65_535 || port - wanted === attempts - 1;
      if (code !== "EADDRINUSE" || last) {
        const ports = port === wanted ? `${wanted}` : `${wanted} to ${port}`;
        throw new SkillError("unavailable", `Cannot listen on ${host}, port ${ports}: ${message}.`);
      }
    }
  }
}
