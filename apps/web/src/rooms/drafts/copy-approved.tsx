import { Button } from '@mantine/core'
import { copyDraft, type Draft, type DraftCopy } from '@prospect/api-client'
import { IconCopy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan } from '../../ui/api/session.ts'
import { CopyButton } from '../../ui/layout/copy-button.tsx'
import { OriginLabel } from './draft-text.tsx'
import classes from './drafts.module.css'
import { refreshDrafts } from './drafts.queries.ts'

/** Button that copies an approved text. Each click counts against the caps. */
export function CopyApproved({ draft }: { draft: Draft }) {
  const queryClient = useQueryClient()
  const canCopy = useCan('drafts.copy')
  const copy = useMutation({
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
      return dataOf(copyDraft({ path: { draftId: draft.id }, body, ...withKey(newKey()) }))
    },
    onSettled: () => refreshDrafts(queryClient),
  })
  if (!canCopy) return null
  const { recipient, person, tenant } = draft.caps
  const leftOf = ({ used, most }: Draft['caps']['recipient']) => Math.max(0, most - used)
  const left = Math.min(leftOf(recipient), leftOf(person), leftOf(tenant))
  return (
    <section aria-label="Copy">
      <div className={classes.actions}>
        <Button
          leftSection={<IconCopy size={15} aria-hidden />}
          loading={copy.isPending}
          disabled={left === 0}
          onClick={() => copy.mutate()}
        >
          Copy approved text
        </Button>
        <span className={classes.soft}>
          Copying does not send anything. {leftOf(recipient)} of {recipient.most} copies to this recipient remain in 30
          days, {leftOf(person)} of {person.most} today by you, {leftOf(tenant)} of {tenant.most} today in the
          workspace.
        </span>
      </div>
      {copy.error !== null && (
        <div className={classes.warning} role="alert">
          {sentenceOf(copy.error)}
        </div>
      )}
      {copy.data !== undefined && <Copied copy={copy.data} />}
    </section>
  )
}

function Copied({ copy: { subject, text, textWithheld, label } }: { copy: DraftCopy }) {
  if (text === null)
    return (
      <p role="status">The text is withheld: {textWithheld === 'suppressed' ? 'suppressed' : 'the approval ended'}.</p>
    )
  return (
    <div role="status">
      <OriginLabel label={label} />
      <div className={classes.actions}>
        {subject !== null && <CopyButton text={subject} label="Subject to the clipboard" />}
        <CopyButton text={text} label="Text to the clipboard" />
      </div>
      <div className={classes.text}>{text}</div>
    </div>
  )
}
