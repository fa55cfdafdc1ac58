import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type CompanyIdentities, unlinkCompanyIdentity } from '@prospect/api-client'
import { IconBuilding } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { companyIdentitiesQuery, ownSessionsQuery } from '../accounts.queries.ts'
import classes from '../profile.module.css'
import { goAndLink } from './company-sign-in.ts'

type Identity = CompanyIdentities['identities'][number]

/** The person's accounts at the company's provider. Not shown on a server without one, unless an earlier account is still linked. */
export function CompanySection() {
  const company = useQuery(companyIdentitiesQuery)
  const queryClient = useQueryClient()
  const unlinking = useDialog<Identity>()
  const link = useMutation({ meta: { isTold: true }, mutationFn: () => goAndLink('/profile/security') })
  const unlink = useMutation({
    meta: { notDone: 'Unlink company account' },
    mutationFn: ({ id }: Identity) => dataOf(unlinkCompanyIdentity({ path: { id } })),
    onSuccess: () => {
      notifications.show({ message: 'Company account unlinked. All your other sessions ended.' })
      return Promise.all([
        queryClient.invalidateQueries(companyIdentitiesQuery),
        queryClient.invalidateQueries(ownSessionsQuery),
      ])
    },
  })
  if (!company.data) return null
  const { name, identities } = company.data
  if (name === null && identities.length === 0) return null
  const isLinked = identities.some(({ isCurrent }) => isCurrent)
  return (
    <TitledSection title="Company account">
      <p className={classes.text}>
        A linked company account replaces your password at the sign-in. Your second factor and your password stay valid.
      </p>
      <ul aria-label="Your company accounts">
        {identities.map((identity) => (
          <Row
            key={identity.id}
            name={identity.isCurrent && name !== null ? name : identity.issuer}
            text={<Standing of={identity} />}
          >
            <Button variant="default" onClick={() => unlinking.open(identity)}>
              Unlink…
            </Button>
          </Row>
        ))}
        {name !== null && !isLinked && (
          <Row name={name} text="Not linked">
            <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
              Link…
            </Button>
          </Row>
        )}
      </ul>
      {link.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(link.error)}
        </p>
      )}
      {unlinking.slot((identity, { close }) => (
        <ConfirmDialog
          title="Unlink company account?"
          confirmLabel="Unlink"
          tone="danger"
          isBusy={unlink.isPending}
          error={unlink.error}
          onConfirm={() => unlink.mutate(identity, { onSuccess: close })}
          onClose={() => {
            unlink.reset()
            close()
          }}
        >
          You can no longer sign in with it. All your other sessions end. Your password stays valid.
        </ConfirmDialog>
      ))}
    </TitledSection>
  )
}

function Standing({ of: { isCurrent, linkedAt, lastUsedAt } }: { of: Identity }) {
  return (
    <>
      Linked <DateTime at={linkedAt} as="date" />
      {isCurrent ? (
        <>
          ,{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <DateTime at={lastUsedAt} />
            </>
          )}
        </>
      ) : (
        '. This server is no longer connected to this provider, so you cannot sign in with it.'
      )}
    </>
  )
}

function Row({ name, text, children }: { name: string; text: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <IconBuilding size={18} stroke={1.6} aria-hidden />
      </span>
      <div className={classes.rowText}>
        <p>{name}</p>
        <p>{text}</p>
      </div>
      <div className={classes.rowActions}>{children}</div>
    </li>
  )
}
