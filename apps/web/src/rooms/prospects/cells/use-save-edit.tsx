import { notifications } from '@mantine/notifications'
import { type Business, editBusiness } from '@prospect/api-client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { noteFailure } from '../../../ui/api/connection.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { showOverPage } from '../../../ui/dialogs/over-page.tsx'
import { showUndo } from '../../../ui/forms/undo-notice.tsx'
import { settleMove } from '../../../ui/prospects/pending-moves.ts'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../../ui/prospects/record-queries.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { leftEmptyWords } from '../record/left-empty-words.ts'
import { type ProspectFormValues, valuesFrom } from '../record/prospect-form.ts'
import { changersSince } from '../record/record.queries.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type RecordApi, saveValues, undoOf, type ValuesEdit } from './save-values.ts'

const apiOf = (queryClient: QueryClient, businessId: string): RecordApi => ({
  read: () => queryClient.fetchQuery({ ...businessQuery(businessId), staleTime: 0 }),
  patch: (body, version) => dataOf(editBusiness({ path: { businessId }, body, ...ifMatch(version) })),
})

type Saving = {
  queryClient: QueryClient
  business: Business
  /** What was edited: "City". */
  what: string
  done: Done
}
type Done = 'saved' | 'removed' | 'put back'

/**
 * Saves an edit and offers its Undo. A conflict opens both versions field by field, and the edit counts as taken over by that. Rejects when nothing
 * was saved.
 */
async function save(saving: Saving, edit: ValuesEdit, isUndo: boolean): Promise<void> {
  const { queryClient, business, what, done } = saving
  const { id } = business
  try {
    const outcome = await saveValues(apiOf(queryClient, id), edit)
    if (outcome.kind === 'unchanged') return
    if (outcome.kind === 'conflict') {
      const by = await changersSince(id, business.updatedAt)
      const start = { ...outcome.edit, standing: null }
      showOverPage(
        <ConflictDialog
          start={start}
          mine={outcome.edit.mine}
          stored={outcome.stored}
          by={by}
          close={() => showOverPage(null)}
          save={(merged) => {
            const { stored } = outcome
            return save(
              { ...saving, business: stored },
              { base: valuesFrom(stored), version: stored.version, mine: merged },
              isUndo,
            )
          }}
        />,
      )
      return
    }
    const saved = outcome.business
    queryClient.setQueryData(recordKey(id), saved)
    void refreshRecord(queryClient, id)
    const notice = `edit-${id}-${saved.version}`
    if (business.doNotContact === null && saved.doNotContact !== null)
      notifications.show({
        color: 'red',
        title: `${nameText(saved.name)} is now marked do not contact`,
        message: 'The saved value is on the do-not-contact list. Removing the value does not lift the block.',
        autoClose: false,
      })
    if (isUndo) notifications.show({ message: `${what} of ${nameText(saved.name)}: undone` })
    else
      showUndo(notice, `${what} of ${nameText(saved.name)} ${done}${leftEmptyWords(saved)}`, () => {
        save({ ...saving, business: saved }, undoOf(saved, outcome.before), true).catch((error: unknown) => {
          notifications.show({
            color: 'red',
            title: `Not undone: ${what}`,
            message: sentenceOf(error),
            autoClose: false,
          })
        })
      })
  } catch (error) {
    noteFailure(error)
    // Merged or made inactive meanwhile: the record says so.
    void refreshRecord(queryClient, id)
    throw error
  }
}

/** Saves a change of the values that the person saw in `business`. Resolves when it was saved, or its conflict is shown. */
export function useSaveEdit(business: Business) {
  const queryClient = useQueryClient()
  return useCallback(
    async (
      what: string,
      change: (values: ProspectFormValues) => ProspectFormValues,
      done: Done = 'saved',
    ): Promise<void> => {
      const base = valuesFrom(business)
      // A move that is under way makes another version.
      await settleMove(business.id)
      await save({ queryClient, business, what, done }, { base, version: business.version, mine: change(base) }, false)
    },
    [business, queryClient],
  )
}
