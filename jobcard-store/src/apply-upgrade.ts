import { upgradeStatements } from './statements.ts'
import { exitCodes, StoreError, sentenceOf, stopOf } from './store-error.ts'

/** A connection of the driver, as far as it is needed. */
type Runner = { query(sql: string): Promise<unknown> }

/**
 * Applies upgrade.sql, statement after statement, on one connection. Throws StoreError: refused when the script stopped
 * itself before its first change, interrupted when it broke off.
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
