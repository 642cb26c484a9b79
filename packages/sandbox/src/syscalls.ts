/** The numbers of the system calls that the filter names, on one kind of processor. */
export interface SyscallTable {
  /** How the kernel calls the processor. */
  readonly audit: number;
  readonly clone: number;
  readonly clone3: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly personality: number;
  readonly memfdCreate: number;
  /** Never allowed: mounts, namespaces, other processes, the kernel itself, memory that no limit counts. */
  readonly denied: readonly number[];
}

// From 424 on, all processors have the same numbers: io_uring, the new mount calls, pidfd_getfd, quotactl_fd, memfd_secret.
const newer = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 447];

/**
 * In this order: ptrace, syslog, pivot_root, adjtimex, chroot, acct, settimeofday, mount, umount2, swapon, swapoff, reboot,
 * sethostname, setdomainname, init_module, delete_module, quotactl, lookup_dcookie, clock_settime, kexec_load, add_key,
 * request_key, keyctl, migrate_pages, unshare, move_pages, perf_event_open, name_to_handle_at, open_by_handle_at,
 * clock_adjtime, setns, process_vm_readv, process_vm_writev, kcmp, finit_module, kexec_file_load, bpf, userfaultfd, shmget.
 */
export const syscallTables: Readonly<Record<string, SyscallTable>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    socket: 41,
    ioctl: 16,
    personality: 135,
    memfdCreate: 319,
    denied: [
      ...[101, 103, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 175, 176, 179, 212, 227, 246, 248],
      ...[249, 250, 256, 272, 279, 298, 303, 304, 305, 308, 310, 311, 312, 313, 320, 321, 323, 29],
      // iopl, ioperm, create_module, modify_ldt, uselib: only here.
      ...[172, 173, 174, 154, 134],
      ...newer,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    socket: 198,
    ioctl: 29,
    personality: 92,
    memfdCreate: 279,
    denied: [
      ...[117, 116, 41, 171, 51, 89, 170, 40, 39, 224, 225, 142, 161, 162, 105, 106, 60, 18, 112, 104, 217],
      ...[218, 219, 238, 97, 239, 241, 264, 265, 266, 268, 270, 271, 272, 273, 294, 280, 282, 194],
      ...newer,
    ],
  },
};
