/** The outcome "Asked not to be contacted", which also blocks the prospect. The API records it with the outcome `other`. */
import { outcomeOptions } from '../../ui/text/outcome-words.ts'

export const OPT_OUT = 'opt_out'

export const optOutLabel = 'Asked not to be contacted'

export const outcomesWithOptOut = [...outcomeOptions, { value: OPT_OUT, label: optOutLabel }]

export type OptOutValues = { optOutReason: string; toggled: string[]; requestedBy: string }

export const emptyOptOut: OptOutValues = { optOutReason: `${optOutLabel}.`, toggled: [], requestedBy: '' }

export const missingInOptOut = ({ optOutReason }: OptOutValues): Record<string, string> =>
  optOutReason.trim() === '' ? { optOutReason: 'Enter a reason. The reason is stored with the record.' } : {}
