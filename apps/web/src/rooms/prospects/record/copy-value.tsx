import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Business, checkSuppressions } from '@prospect/api-client'
import { IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { putOnClipboard } from '../../../ui/layout/clipboard.ts'
import { businessQuery } from '../../../ui/prospects/record-queries.ts'
import { fieldName } from '../../../ui/text/field-names.ts'
import { phoneText } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'

export type ContactKind = 'email' | 'phone' | 'domain'

type Props = { business: Business; kind: ContactKind; value: string }

/** Copies a contact value. The server is asked first: what must not be contacted is not copied, and the reason is shown. */
export function CopyValue({ business, kind, value }: Props) {
  const queryClient = useQueryClient()
  const canCheck = useCan('suppression.read')
  const [isBusy, setBusy] = useState(false)
  const what = fieldName(kind).toLowerCase()

  const refusal = async (): Promise<string | null> => {
    const { doNotContact } = await queryClient.fetchQuery({ ...businessQuery(business.id), staleTime: 0 })
    if (doNotContact !== null) return `Do not contact: ${nameText(doNotContact.reason)}`
    if (!canCheck) return null
    const { items } = await dataOf(checkSuppressions({ body: { values: [{ kind, value }] } }))
    return items.some(({ suppressed }) => suppressed) ? `This ${what} is on the do-not-contact list.` : null
  }
  const permitted = async (): Promise<string> => {
    const refused = await refusal()
    if (refused !== null) throw new Refused(refused)
    return value
  }
  const copy = async (): Promise<void> => {
    setBusy(true)
    try {
      if (await putOnClipboard(permitted())) notifications.show({ message: `${fieldName(kind)} copied` })
      else tellNotCopied(what, blocked)
    } catch (error) {
      tellNotCopied(what, error instanceof Refused ? error.message : sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionIcon
      size={24}
      aria-label={`Copy ${what} ${nameText(phoneText(value))}`}
      loading={isBusy}
      onClick={() => void copy()}
    >
      <IconCopy size={14} aria-hidden />
    </ActionIcon>
  )
}

/** The value must not be copied. The message is the reason. */
class Refused extends Error {}

const blocked = 'This browser blocks copying. Select the text and copy it yourself.'

function tellNotCopied(what: string, why: string): void {
  notifications.show({
    id: 'not-copied',
    color: 'red',
    title: `Did not copy the ${what}`,
    message: why,
    autoClose: false,
  })
}

/** The address of the record, without what is open in it. */
export async function copyRecordLink(): Promise<void> {
  const { origin, pathname } = window.location
  if (await putOnClipboard(`${origin}${pathname}`)) notifications.show({ message: 'Link copied' })
  else tellNotCopied('link', blocked)
}
