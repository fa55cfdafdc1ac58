import type { RecordOptOutData } from '@prospect/api-client'
import type { AlsoSuppress } from '../../ui/prospects/block-values.ts'
import { type InteractionFormValues, interactionBody } from './interaction-form-values.ts'

/** Request body of a valid form. The reason is the summary if there is none, because the outcome is shown as "Other". */
export function optOutBody(
  values: InteractionFormValues,
  zone: string,
  at: string,
  alsoSuppress: AlsoSuppress,
): RecordOptOutData['body'] {
  const { optOutReason, requestedBy, summary } = values
  const happened = interactionBody({ ...values, outcome: 'other', followUpOn: '' }, { zone, corrects: null, now: at })
  const { outcome: _outcome, followUpOn: _followUp, correctsId: _corrects, ...contact } = happened
  return {
    ...contact,
    summary: summary.trim() === '' ? optOutReason : summary,
    reason: optOutReason,
    alsoSuppress,
    requestedBy: requestedBy.trim() === '' ? null : requestedBy.trim(),
  }
}
