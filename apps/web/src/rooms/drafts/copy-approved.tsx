import { Button, Textarea } from '@mantine/core'
import { copyDraft, type Draft, type DraftCopy } from '@prospect/api-client'
import { IconCopy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { putOnClipboard } from '../../ui/layout/clipboard.ts'
import { outsideWords } from '../../ui/prospects/contact-hours-words.ts'
import { OriginLabel } from './draft-text.tsx'
import classes from './drafts.module.css'
import { refreshDrafts } from './drafts.queries.ts'

/** The part of an approved text that a press puts on the clipboard. */
type Part = 'all' | 'subject' | 'text'

type Pressed = { part: Part; copy: DraftCopy; isOnClipboard: boolean }

/**
 * Buttons that put an approved text on the clipboard. The first press releases the text: the server checks it, counts one copy and records it before
 * the text leaves. Further presses repeat the release with the same key, so the server checks again and counts nothing. The key lasts as long as the
 * page stays open.
 */
export function CopyApproved({ draft }: { draft: Draft }) {
  const queryClient = useQueryClient()
  const canCopy = useCan('drafts.copy')
  const { timeZone: zone } = useSession().tenant
  const { keyFor, refused } = useIdempotencyKey()
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const [isReleased, setReleased] = useState(false)
  const release = useMutation({
    meta: { isTold: true },
    mutationFn: () => {
      const { version, contentHash, snapshotHash, versions } = draft
      const body = {
        draftVersion: version,
        contentHash,
        snapshotHash,
        policyVersion: versions.policy ?? '',
        suggestionId: versions.suggestion,
        provider: versions.provider,
        assistPolicy: versions.assistPolicy,
      }
      return dataOf(copyDraft({ path: { draftId: draft.id }, body, ...withKey(keyFor(body)) }))
    },
    onSuccess: ({ text }) => setReleased(text !== null),
    onError: refused,
    onSettled: () => refreshDrafts(queryClient),
  })
  if (!canCopy) return null
  const press = (part: Part) => () => {
    const released = release.mutateAsync()
    putOnClipboard(released.then((copy) => wordsOf(copy, part)))
      .then(async (isOnClipboard) => setPressed({ part, copy: await released, isOnClipboard }))
      // The error of the release is shown; a withheld text has nothing to copy.
      .catch(() => setPressed(null))
  }
  const { recipient, person, tenant } = draft.caps
  const leftOf = ({ used, most }: Draft['caps']['recipient']) => Math.max(0, most - used)
  const left = Math.min(leftOf(recipient), leftOf(person), leftOf(tenant))
  const button = { loading: release.isPending, disabled: left === 0 && !isReleased }
  const hasSubject = draft.rendered?.subject != null
  return (
    <section aria-label="Copy">
      <div className={classes.actions}>
        <Button {...button} leftSection={<IconCopy size={15} aria-hidden />} onClick={press('all')}>
          {hasSubject ? 'Copy subject and text' : 'Copy text'}
        </Button>
        {hasSubject && (
          <>
            <Button {...button} variant="default" onClick={press('subject')}>
              Copy subject only
            </Button>
            <Button {...button} variant="default" onClick={press('text')}>
              Copy text only
            </Button>
          </>
        )}
        <span className={classes.soft}>
          Copying does not send anything. {isReleased && 'Copying again on this page does not count. '}
          Copies left: {leftOf(recipient)} of {recipient.most} for this recipient in 30 days, {leftOf(person)} of{' '}
          {person.most} for you today, and {leftOf(tenant)} of {tenant.most} for the workspace today.
        </span>
      </div>
      {draft.contactHours.status !== 'allowed' && (
        <p className={classes.warning} role="note">
          {outsideWords(draft.contactHours, { zone, now: serverNow() })}.{' '}
          {draft.contactHours.isRefused
            ? 'The policy refuses copies outside of contact hours.'
            : 'The policy permits the copy, but calls are not allowed now.'}
        </p>
      )}
      {release.error !== null && (
        <div className={classes.warning} role="alert">
          {sentenceOf(release.error)}
        </div>
      )}
      <div role="status">
        {release.data?.textWithheld != null && (
          <p>The text cannot be shown: {withheldWords[release.data.textWithheld]}.</p>
        )}
        {pressed !== null && !release.isPending && release.error === null && <Copied {...pressed} />}
      </div>
    </section>
  )
}

const withheldWords = {
  suppressed: 'the do-not-contact list blocks the recipient',
  approval_ended: 'the approval ended',
  outside_contact_hours: 'the policy refuses copies outside of contact hours',
  registry_round_due: 'the policy requires a more recent registry round',
} as const

function Copied({ part, copy, isOnClipboard }: Pressed) {
  if (isOnClipboard)
    return (
      <>
        <OriginLabel label={copy.label} />
        <p>
          Copied to the clipboard: {part === 'all' && copy.subject !== null ? 'subject and text' : partWords[part]}.
        </p>
      </>
    )
  return (
    <>
      <OriginLabel label={copy.label} />
      <ByHand key={part} text={wordsOf(copy, part)} />
    </>
  )
}

const partWords = { all: 'text', subject: 'subject', text: 'text' } as const

/** The text, selected, where the browser does not allow a page to write to the clipboard. */
function ByHand({ text }: { text: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <Textarea
      ref={field}
      label="Copy this text by hand"
      description="This browser does not allow this page to copy. The text is selected: press Ctrl+C, or Cmd+C on a Mac. This counts as one copy."
      readOnly
      autosize
      maxRows={14}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}

/** The text of a part. Throws if the server withheld the text. */
function wordsOf({ subject, text }: DraftCopy, part: Part): string {
  if (text === null) throw new Error('The text cannot be shown.')
  if (part === 'text' || subject === null) return text
  return part === 'subject' ? subject : `${subject}\n\n${text}`
}
