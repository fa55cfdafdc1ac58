import { z } from 'zod'
import { RULES_VERSION } from '../contact-gate/contact-gate.ts'
import { defineJobKind } from '../jobs/jobs.ts'
import { finishReevaluation, reevaluateEntries, reevaluateRecords } from './reevaluation/reevaluate.ts'

/**
 * Evaluates entries and records by the present rules, in steps that each run once, however often the job resumes. It is queued after the rules
 * changed. Matches by older rules stay. If the rules change again while it runs, it starts from the beginning.
 */
export const suppressionReevaluation = defineJobKind({
  kind: 'suppression-reevaluation',
  title: 'Re-evaluate all suppressions',
  permission: 'suppression.add',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 3,
  isCancellable: true,
  touches: 'Writes the keys of entries and records, and marks matching records. It lifts nothing.',
  run: async ({ effect, progress, checkpoint, resume: left }) => {
    const resume = left?.rulesVersion === RULES_VERSION ? left : null
    const stepOf = (name: string) => `${RULES_VERSION} ${name}`
    const keep = (at: Record<string, string | number>) => checkpoint({ rulesVersion: RULES_VERSION, ...at })
    const options = { action: 'suppression.reevaluate' } as const
    const number = (name: string) => (typeof resume?.[name] === 'number' ? resume[name] : 0)
    let [entries, records, marked] = [number('entries'), number('records'), number('marked')]
    const text = (name: string) => (typeof resume?.[name] === 'string' ? resume[name] : null)
    let after = text('after')
    let entriesAfter = text('entriesAfter') ?? ''
    while (after === null) {
      const behind = entriesAfter
      const step = await effect(stepOf(`entries behind ${behind}`), options, (tx) => reevaluateEntries(tx, behind))
      entries += step.done
      marked += step.marked
      if (step.after === null) after = ''
      else entriesAfter = step.after
      progress({ done: entries, total: null, unit: 'entries' })
      await keep({ entries, records, marked, entriesAfter, ...(after === null ? {} : { after }) })
    }
    for (let from: string | null = after; from !== null; ) {
      const behind: string = from
      const step = await effect(stepOf(`records behind ${behind}`), options, (tx) => reevaluateRecords(tx, behind))
      records += step.done
      marked += step.marked
      from = step.after
      progress({ done: records, total: null, unit: 'records' })
      if (from !== null) await keep({ entries, records, marked, after: from })
    }
    await effect(stepOf('finish'), options, finishReevaluation)
    return { entries, records, marked }
  },
})
