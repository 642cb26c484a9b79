import { type SyscallTable, syscallTables } from "./syscalls.ts";

/** Whether there is a filter for this kind of processor. */
export function hasFilter(arch: string): boolean {
  return Object.hasOwn(syscallTables, arch);
}

/**
 * The filter of system calls, as the kernel takes it. What could reach out of the sandbox, or past its limits, is refused;
 * the rest passes, since interpreters differ in what they call. With the network, sockets of the machine's own programs
 * (which share its names) are out of reach too.
 */
export function buildFilter(arch: string, network: boolean): Uint8Array {
  const table = syscallTables[arch];
  if (table === undefined) throw new Error(`no filter for ${arch}`);
  const program = [
    load(atArch),
    ...ifEqual(table.audit, [], [give(kill)]),
    load(atNumber),
    // The other set of numbers that this processor has.
    ...(arch === "x64" ? [jumpIfAtLeast(0x4000_0000, 0, 1), give(errno(noCall))] : []),
    ...table.denied.flatMap((number) => ifEqual(number, [give(errno(notPermitted))])),
    // Programs go on without these two: the flags of clone3 cannot be looked at, and no limit counts a memfd.
    ...ifEqual(table.clone3, [give(errno(noCall))]),
    ...ifEqual(table.memfdCreate, [give(errno(noCall))]),
    ...ifEqual(table.clone, [load(atArgument(0)), jumpIfSet(namespaces, 0, 1), give(errno(notPermitted)), give(allow)]),
    ...ifEqual(table.ioctl, [load(atArgument(1)), ...refuseAny([0x5412, 0x541c]), give(allow)]),
    ...ifEqual(table.personality, [load(atArgument(0)), ...ifEqual(0, [give(allow)]), give(errno(notPermitted))]),
    ...filterSockets(table, network),
    give(allow),
  ];
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  program.forEach(({ code, yes, no, value }, index) => {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, yes);
    bytes.setUint8(index * 8 + 3, no);
    bytes.setUint32(index * 8 + 4, value, true);
  });
  return new Uint8Array(bytes.buffer);
}

interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

// Offsets in what the kernel hands to a filter; the low half of an argument comes first.
const atNumber = 0;
const atArch = 4;
const atArgument = (index: number) => 16 + index * 8;

const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const errno = (number: number) => 0x0005_0000 | number;
const notPermitted = 1;
const noCall = 38;
const noFamily = 97;

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
const namespaces = 0x7e02_0000;

const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

// Of netlink only what tells the network's addresses. Others, as those between a machine and its host, know no namespace.
function filterSockets({ socket }: SyscallTable, network: boolean): readonly Instruction[] {
  const open = network ? [families.inet, families.inet6] : [families.unix, families.inet, families.inet6];
  return ifEqual(socket, [
    load(atArgument(0)),
    ...open.flatMap((family) => ifEqual(family, [give(allow)])),
    ...ifEqual(families.netlink, [load(atArgument(2)), ...ifEqual(0, [give(allow)])]),
    give(errno(noFamily)),
  ]);
}

function refuseAny(values: readonly number[]): readonly Instruction[] {
  return values.flatMap((value) => ifEqual(value, [give(errno(notPermitted))]));
}

function load(offset: number): Instruction {
  return { code: 0x20, yes: 0, no: 0, value: offset };
}

function give(value: number): Instruction {
  return { code: 0x06, yes: 0, no: 0, value };
}

/** Jumps are forward only, and count the instructions that they leave out. */
function ifEqual(
  value: number,
  then: readonly Instruction[],
  otherwise: readonly Instruction[] = [],
): readonly Instruction[] {
  if (otherwise.length > 0) return [{ code: 0x15, yes: otherwise.length, no: 0, value }, ...otherwise];
  return [{ code: 0x15, yes: 0, no: then.length, value }, ...then];
}

function jumpIfAtLeast(value: number, yes: number, no: number): Instruction {
  return { code: 0x35, yes, no, value };
}

function jumpIfSet(value: number, yes: number, no: number): Instruction {
  return { code: 0x45, yes, no, value };
}
