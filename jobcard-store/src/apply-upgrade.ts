import { upgradeStatements } from './statements.ts'
import { exitCodes, StoreError, sentenceOf, stopOf } from './store-error.ts'

/** The part of the driver's connection that is used here. */
type Runner = { query(sql: string): Promise<unknown> }

/**
 * Applies upgrade.sql on one connection, statement by statement. Throws StoreError: `refused` if the script stopped itself before its first change,
 * `interrupted` if a statement failed.
 */
export async function applyUpgrade(db: Runner): Promise<void> {
  for (const { sql, line } of upgradeStatements()) {
    try {
      await db.query(sql)
    } catch (cause) {
      const stopped = stopOf(cause)
      if (stopped !== undefined) throw new StoreError(exitCodes.refused, `Nothing was changed: ${stopped}`, { cause })
      throw new StoreError(
        exitCodes.interrupted,
        `The upgrade broke off at line ${line} of upgrade.sql. ${sentenceOf(cause)} What it added so far is whole and does no harm; run it again to finish.`,
        { cause },
      )
    }
  }
}
