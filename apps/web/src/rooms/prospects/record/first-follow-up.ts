import { notifications } from '@mantine/notifications'
import { setFollowUp } from '@prospect/api-client'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'

/** A prospect that was just created. */
type Created = { id: string; version: number }

/** Sets the follow-up that a new prospect gets with all rows of its file. If this fails, the record exists anyway, so the person is notified. */
export async function recordFollowUp({ id, version }: Created, followUpOn: string): Promise<void> {
  try {
    await dataOf(setFollowUp({ path: { businessId: id }, body: { followUpOn }, ...ifMatch(version) }))
  } catch (error) {
    notifications.show({ color: 'red', message: `Could not set the follow-up. ${sentenceOf(error)}` })
  }
}
