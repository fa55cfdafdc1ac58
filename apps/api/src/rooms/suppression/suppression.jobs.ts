import { z } from 'zod'
import { defineJobKind } from '../jobs/jobs.ts'
import { finishReevaluation, reevaluateEntries, reevaluateRecords } from './reevaluate.ts'

/**
 * Brings entries and records under the rules of now, a step at a time, each step done once however often the job is taken up again.
 * To be asked for when the rules have changed; until it has run, what older rules matched stays matched.
 */
export const suppressionReevaluation = defineJobKind({
  kind: 'suppression-reevaluation',
  title: 'Evaluate all suppressions again',
  permission: 'suppression.add',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches: 'Writes the keys of entries and records, and marks what they match. It lifts nothing.',
  run: async ({ effect, progress, checkpoint, resume }) => {
    const options = { action: 'suppression.reevaluate' }
    const number = (name: string) => (typeof resume?.[name] === 'number' ? resume[name] : 0)
    let [entries, records, marked] = [number('entries'), number('records'), number('marked')]
    let after = typeof resume?.after === 'string' ? resume.after : null
    while (after === null) {
      const step = await effect(`entries behind ${entries}`, options, reevaluateEntries)
      entries += step.done
      marked += step.marked
      if (step.after === null) after = ''
      progress({ done: entries, total: null, unit: 'entries' })
      await checkpoint({ entries, records, marked, ...(after === null ? {} : { after }) })
    }
    for (let from: string | null = after; from !== null; ) {
      const behind: string = from
      const step = await effect(`records behind ${behind}`, options, (tx) => reevaluateRecords(tx, behind))
      records += step.done
      marked += step.marked
      from = step.after
      progress({ done: records, total: null, unit: 'records' })
      if (from !== null) await checkpoint({ entries, records, marked, after: from })
    }
    await effect('finish', options, finishReevaluation)
    return { entries, records, marked }
  },
})
