/**
 * Runs `work` for one item after the other. If it fails for an item, it continues with the next one and throws an `AggregateError` of all failures at
 * the end. `what`: the kind of the items, as a singular noun.
 */
export async function eachIsolated(
  what: string,
  ids: Iterable<string>,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const failures: Error[] = []
  for (const id of ids) {
    try {
      await work(id)
    } catch (cause) {
      failures.push(new Error(`It failed for the ${what} ${id}.`, { cause }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `It failed for some of the ${what}s.`)
}
