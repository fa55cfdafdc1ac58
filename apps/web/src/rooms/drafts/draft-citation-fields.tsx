import { TextInput } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import type { SaveForm } from '../../ui/forms/use-save-form.ts'
import { type DraftValues, isUsed } from './draft-values.ts'
import { evidenceToCite } from './drafts.queries.ts'
import { evidenceWords } from './evidence-options.ts'

type Props = { business: Business; save: SaveForm<DraftValues> }

/** Fields for the quote of each citation, the reason for citing nothing, and the acknowledgement of each low-confidence observation. */
export function DraftCitationFields({ business, save }: Props) {
  const { values, set, form } = save
  return (
    <>
      {values.citations.map((citation, at) => (
        <TextInput
          key={citation.marker}
          id={`draft-citations-${citation.marker}`}
          label={`Quote of [^${citation.marker}]`}
          description="Optional: an exact quote from the observation"
          maxLength={1_000}
          value={citation.quote ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set({ citations: values.citations.with(at, { ...citation, quote: value === '' ? null : value }) })
          }
        />
      ))}
      {values.citations.length === 0 && (
        <TextInput
          id="draft-noCitationReason"
          label="Why no source is needed"
          description="Needed only if the text has no source"
          maxLength={1_000}
          {...form.getInputProps('noCitationReason')}
        />
      )}
      <Acknowledgements business={business} save={save} />
    </>
  )
}

function Acknowledgements({ business, save: { values, set } }: Props) {
  const evidence = useQuery(evidenceToCite(business.id))
  const low = (evidence.data?.items ?? []).filter(
    (one) => one.confidence === 'low' && one.supersededById === null && isUsed(one, values),
  )
  const reasonOf = (id: string) => values.acknowledgements.find(({ evidenceId }) => evidenceId === id)?.reason ?? ''
  const acknowledge = (evidenceId: string, reason: string) =>
    set({
      acknowledgements: [
        ...values.acknowledgements.filter((one) => one.evidenceId !== evidenceId),
        ...(reason === '' ? [] : [{ evidenceId, reason }]),
      ],
    })
  return low.map((one) => (
    <TextInput
      key={one.id}
      label={`Why this uncertain fact can be used: ${evidenceWords(one)}`}
      description="The approver sees the reason. The policy decides whether the reason is accepted"
      maxLength={1_000}
      value={reasonOf(one.id)}
      onChange={({ currentTarget }) => acknowledge(one.id, currentTarget.value)}
    />
  ))
}
