import { Button, Group, Text } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { PageOverlay } from '../../ui/layout/page-overlay.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './session-elsewhere.module.css'

/** A long name wraps instead of being cut. */
const wrapped = { classNames: { root: classes.button, label: classes.label } }

type Props = {
  /** Session that this page shows. */
  page: Session
  /** Current session of the browser. */
  now: Session
  goOn: () => void
  /** Switches the session back to the workspace of this page. */
  changeBack: () => Promise<void>
}

/**
 * Dialog over a page whose session was replaced: another tab signed in as another user or switched workspace, or the user was removed from the page's
 * workspace. The page sends no calls, so that nobody acts under a wrong name, and continues when its own session is back.
 */
export function SessionElsewhere({ page, now, goOn, changeBack }: Props) {
  const back = useMutation({ meta: { isTold: true }, mutationFn: changeBack })
  const isOther = page.user.id !== now.user.id
  const isGone = !isOther && !now.tenants.some(({ id }) => id === page.tenant.id)
  return (
    <PageOverlay
      title={
        isOther
          ? `${nameText(now.user.name)} is now signed in to this browser`
          : isGone
            ? `You no longer belong to ${nameText(page.tenant.name)}`
            : `This browser now uses ${nameText(now.tenant.name)}`
      }
    >
      {isOther ? (
        <Text size="sm">
          <Name of={now.user.name} /> signed in in another tab. This page belongs to <Name of={page.user.name} />, so
          nothing is loaded or saved here until <Name of={page.user.name} /> signs in again. Typed text is kept.
        </Text>
      ) : isGone ? (
        <Text size="sm">
          This page belongs to <Name of={page.tenant.name} />, so nothing is loaded or saved here any more. If this is a
          mistake, leave this page open and ask an administrator of that workspace to add you again.
        </Text>
      ) : (
        <Text size="sm">
          You switched the workspace in another tab. This page belongs to <Name of={page.tenant.name} />, so nothing is
          loaded or saved here until you switch back. Your text is kept.
        </Text>
      )}
      {back.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(back.error)}
        </p>
      )}
      <Group justify="flex-end">
        {!isOther && !isGone && (
          <Button {...wrapped} variant="default" loading={back.isPending} onClick={() => back.mutate()} data-autofocus>
            Switch back to {nameText(page.tenant.name)}
          </Button>
        )}
        <Button {...wrapped} onClick={goOn} data-autofocus={isOther || isGone || undefined}>
          {isOther ? `Continue as ${nameText(now.user.name)}` : `Continue in ${nameText(now.tenant.name)}`}
        </Button>
      </Group>
    </PageOverlay>
  )
}
