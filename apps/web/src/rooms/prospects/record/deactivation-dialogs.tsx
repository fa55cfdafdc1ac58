import { deactivateBusiness, reactivateBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { DecisionDialog } from '../../../ui/dialogs/decision-dialog.tsx'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'

const words = {
  deactivate: {
    title: (name: string) => `Deactivate ${name}?`,
    label: 'Deactivate',
    description: 'Why the record is not needed',
    text: 'The prospect disappears from lists, the board, counts and the search for duplicates, and nobody can change its record. Its history and its do-not-contact mark are kept. To find and reactivate the prospect, use the filter Inactive.',
    done: (name: string) => `${name} is inactive.`,
    send: deactivateBusiness,
    tone: 'danger',
  },
  reactivate: {
    title: (name: string) => `Reactivate ${name}?`,
    label: 'Reactivate',
    description: 'Why the record is needed again',
    text: 'The prospect appears again in lists, on the board, in counts and in the search for duplicates, in the pipeline state that it had.',
    done: (name: string) => `${name} is active again.`,
    send: reactivateBusiness,
    tone: undefined,
  },
} as const

function ActivityDialog({ act, business, ...dialog }: OpenProps & { act: keyof typeof words }) {
  const queryClient = useQueryClient()
  const { title, label, tone, description, text, done, send } = words[act]
  const name = nameText(business.name)
  return (
    <DecisionDialog
      title={title(name)}
      label={label}
      tone={tone}
      next={text}
      reason={description}
      missing="Enter a reason. The reason is stored with the record."
      draftName={`${act}-${business.id}`}
      send={({ reason }, key) => dataOf(send({ path: { businessId: business.id }, body: { reason }, ...withKey(key) }))}
      done={done(name)}
      decided={(changed) => {
        queryClient.setQueryData(recordKey(business.id), changed)
        dialog.close()
      }}
      refresh={() => refreshRecord(queryClient, business.id)}
      {...dialog}
    />
  )
}

export const DeactivateDialog = (props: OpenProps) => <ActivityDialog {...props} act="deactivate" />
export const ReactivateDialog = (props: OpenProps) => <ActivityDialog {...props} act="reactivate" />
