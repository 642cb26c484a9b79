import type { Catalog } from "@skillholm/core";
import { profiles } from "@skillholm/profiles";

/** A profile's own listing: facts of each skill, in the catalog's order, and of all. */
export interface OwnListing {
  readonly skills?: readonly object[];
  readonly [fact: string]: unknown;
}

export function describe(profile: string, catalog: Catalog): OwnListing {
  return (profiles[profile]?.describeCatalog?.(catalog) ?? {}) as OwnListing;
}
