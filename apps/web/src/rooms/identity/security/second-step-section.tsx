import { notifications } from '@mantine/notifications'
import type { Enrolment, Factors, Passkey } from '@prospect/api-client'
import { beginEnrolment, removePasskey, removeTotp, renewRecoveryCodes } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { rotatingSession } from '../../../ui/api/gated-fetch.ts'
import { refreshSession, useSession } from '../../../ui/api/session.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { factorsQuery, ownSessionsQuery } from '../accounts.queries.ts'
import { canUsePasskeys } from '../passkeys.ts'
import classes from '../profile.module.css'
import { AddPasskey } from '../steps/add-passkey.tsx'
import { RecoveryCodes } from '../steps/recovery-codes.tsx'
import { TotpEnrolment } from '../steps/totp-enrolment.tsx'
import { FactorRows } from './factor-rows.tsx'

type Doing =
  | { name: 'totp'; begun: Enrolment }
  | { name: 'passkey' }
  | { name: 'codes'; codes: string[] }
  | { name: 'remove-totp' }
  | { name: 'remove-passkey'; passkey: Passkey }
  | { name: 'renew-codes' }

/** Authenticator app, passkeys and recovery codes. Whatever changes here ends the other sessions. */
export function SecondStepSection() {
  const factors = useQuery(factorsQuery)
  const { user } = useSession()
  const queryClient = useQueryClient()
  const [doing, setDoing] = useState<Doing | null>(null)
  const [isBusy, setBusy] = useState(false)

  const changed = async (codes: string[] | null, message: string) => {
    setDoing(codes === null ? null : { name: 'codes', codes })
    if (codes === null) notifications.show({ message })
    // It is done. Where the session cannot be asked for now, it comes with the next page.
    await refreshSession(queryClient).catch(() => undefined)
    await Promise.all([queryClient.invalidateQueries(factorsQuery), queryClient.invalidateQueries(ownSessionsQuery)])
  }
  const begin = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(beginEnrolment({ body: {} })),
    onSuccess: (begun) => setDoing({ name: 'totp', begun }),
  })
  const remove = useMutation({
    meta: { notDone: 'Remove the second step' },
    mutationFn: (passkey: Passkey | null) =>
      passkey === null
        ? dataOf(removeTotp(rotatingSession))
        : dataOf(removePasskey({ path: { id: passkey.id }, ...rotatingSession })),
    onSuccess: () => changed(null, 'Removed. Every other session of yours has ended.'),
  })
  const renew = useMutation({
    meta: { notDone: 'Make new recovery codes' },
    mutationFn: () => dataOf(renewRecoveryCodes({ body: {} })),
    onSuccess: ({ recoveryCodes }) => changed(recoveryCodes, 'The recovery codes are new.'),
  })
  const close = () => {
    remove.reset()
    renew.reset()
    setDoing(null)
  }

  return (
    <TitledSection title="Second step">
      {factors.isPending && <LoadingLines lines={4} />}
      {factors.isError && !factors.data && (
        <Failed error={factors.error} retry={() => void factors.refetch()} what="your second step" />
      )}
      {factors.data && (
        <>
          <p className={classes.text}>{leadOf(factors.data)}</p>
          {begin.isError && (
            <p role="alert" className="pp-refusal">
              {sentenceOf(begin.error)}
            </p>
          )}
          <FactorRows
            factors={factors.data}
            isBeginning={begin.isPending}
            begin={() => begin.mutate()}
            addPasskey={() => setDoing({ name: 'passkey' })}
            removeTotp={() => setDoing({ name: 'remove-totp' })}
            removePasskey={(passkey) => setDoing({ name: 'remove-passkey', passkey })}
            renewCodes={() => setDoing({ name: 'renew-codes' })}
          />
        </>
      )}
      {!canUsePasskeys() && (
        <p className="pp-quiet">
          Passkeys cannot be used at this address: they need a host name and TLS, or localhost, and a browser that knows
          them.
        </p>
      )}
      <DialogSlot>
        {(doing?.name === 'totp' || doing?.name === 'passkey') && (
          <Dialog
            onClose={() => !isBusy && close()}
            closeOnClickOutside={false}
            title={doing.name === 'totp' ? 'Set up an authenticator app' : 'Add a passkey'}
          >
            {doing.name === 'totp' ? (
              <TotpEnrolment
                begun={doing.begun}
                onBusy={setBusy}
                onConfirmed={(codes) =>
                  changed(codes, 'The authenticator app is set up. Every other session has ended.')
                }
                cancel={close}
              />
            ) : (
              <AddPasskey
                onBusy={setBusy}
                onAdded={(codes) => changed(codes, 'The passkey is added. Every other session has ended.')}
                cancel={close}
              />
            )}
          </Dialog>
        )}
        {doing?.name === 'codes' && (
          <Dialog
            // They are shown this once: leaving is a choice with a name.
            onClose={() => undefined}
            withCloseButton={false}
            closeOnEscape={false}
            closeOnClickOutside={false}
            title="Your recovery codes"
          >
            <RecoveryCodes codes={doing.codes} email={user.email} doneLabel="Done" onDone={close} />
          </Dialog>
        )}
        {(doing?.name === 'remove-totp' || doing?.name === 'remove-passkey') && (
          <ConfirmDialog
            title={
              doing.name === 'remove-passkey'
                ? `Remove the passkey “${nameText(doing.passkey.name)}”?`
                : 'Remove the authenticator app?'
            }
            confirmLabel="Remove"
            tone="danger"
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate(doing.name === 'remove-passkey' ? doing.passkey : null)}
            onClose={close}
          >
            {factors.data && removalWords(factors.data, doing)}
          </ConfirmDialog>
        )}
        {doing?.name === 'renew-codes' && (
          <ConfirmDialog
            title="Make new recovery codes?"
            confirmLabel="Make new codes"
            isBusy={renew.isPending}
            error={renew.error}
            onConfirm={() => renew.mutate()}
            onClose={close}
          >
            The codes that you kept stop working at once; ten new ones are shown to you.
          </ConfirmDialog>
        )}
      </DialogSlot>
    </TitledSection>
  )
}

const countOf = ({ totp, passkeys }: Factors) => passkeys.length + (totp === null ? 0 : 1)

function leadOf(factors: Factors): string {
  if (countOf(factors) > 0)
    return 'After your password you show a code or a passkey. A passkey also does without the password.'
  return factors.required
    ? 'Your role needs a second step after the password.'
    : 'Nothing is asked for after your password yet. With a second step, a password that leaks opens nothing.'
}

function removalWords(factors: Factors, doing: Doing): string {
  const others = 'Every other session of yours ends.'
  if (countOf(factors) > 1) return `${others} What else you have set up goes on working.`
  const last = doing.name === 'remove-totp' ? 'It is your only second step' : 'It is your only second step and passkey'
  return `${last}: your recovery codes go with it${factors.required ? ', and you must set up another before you can go on' : ', and then the password alone is enough'}. ${others}`
}
