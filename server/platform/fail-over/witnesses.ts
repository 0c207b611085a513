import type { Db } from '#server/platform/database/database.ts'

/**
 * Tells whether another database has what this process knows to be committed. It is asked before anything else is
 * done there.
 */
export type Witness = (there: Db) => Promise<boolean>

const witnesses = new WeakMap<Db, Witness[]>()

/** `db`: the process's own database, as given to the work of `afterCommit`. */
export function addWitness(db: Db, witness: Witness): void {
  witnesses.set(db, [...(witnesses.get(db) ?? []), witness])
}

export async function allWitnessesAgree(db: Db, there: Db): Promise<boolean> {
  for (const witness of witnesses.get(db) ?? []) if (!(await witness(there))) return false
  return true
}
