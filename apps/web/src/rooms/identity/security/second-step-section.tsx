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

/** Authenticator app, passkeys and recovery codes. Every change ends the user's other sessions. */
export function SecondStepSection() {
  const factors = useQuery(factorsQuery)
  const { user } = useSession()
  const queryClient = useQueryClient()
  const [doing, setDoing] = useState<Doing | null>(null)
  const [isBusy, setBusy] = useState(false)

  const changed = async (codes: string[] | null, message: string) => {
    setDoing(codes === null ? null : { name: 'codes', codes })
    if (codes === null) notifications.show({ message })
    // The change is complete. If the session cannot be read now, the next page load updates it.
    await refreshSession(queryClient).catch(() => undefined)
    await Promise.all([queryClient.invalidateQueries(factorsQuery), queryClient.invalidateQueries(ownSessionsQuery)])
  }
  const begin = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(beginEnrolment({ body: {} })),
    onSuccess: (begun) => setDoing({ name: 'totp', begun }),
  })
  const remove = useMutation({
    meta: { notDone: 'Remove second factor' },
    mutationFn: (passkey: Passkey | null) =>
      passkey === null
        ? dataOf(removeTotp(rotatingSession))
        : dataOf(removePasskey({ path: { id: passkey.id }, ...rotatingSession })),
    onSuccess: () => changed(null, 'Removed. All your other sessions ended.'),
  })
  const renew = useMutation({
    meta: { notDone: 'Create new recovery codes' },
    mutationFn: () => dataOf(renewRecoveryCodes({ body: {} })),
    onSuccess: ({ recoveryCodes }) => changed(recoveryCodes, 'New recovery codes created'),
  })
  const close = () => {
    remove.reset()
    renew.reset()
    setDoing(null)
  }

  return (
    <TitledSection title="Second factor">
      {factors.isPending && <LoadingLines lines={4} />}
      {factors.isError && !factors.data && (
        <Failed error={factors.error} retry={() => void factors.refetch()} what="your second factor" />
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
          Passkeys do not work at this address. Passkeys need an https address, or localhost, and a browser that
          supports passkeys.
        </p>
      )}
      <DialogSlot>
        {(doing?.name === 'totp' || doing?.name === 'passkey') && (
          <Dialog
            onClose={() => !isBusy && close()}
            closeOnClickOutside={false}
            title={doing.name === 'totp' ? 'Set up authenticator app' : 'Add passkey'}
          >
            {doing.name === 'totp' ? (
              <TotpEnrolment
                begun={doing.begun}
                onBusy={setBusy}
                onConfirmed={(codes) => changed(codes, 'Authenticator app set up. All your other sessions ended.')}
                cancel={close}
              />
            ) : (
              <AddPasskey
                onBusy={setBusy}
                onAdded={(codes) => changed(codes, 'Passkey added. All your other sessions ended.')}
                cancel={close}
              />
            )}
          </Dialog>
        )}
        {doing?.name === 'codes' && (
          <Dialog
            // The codes are shown only once, so the dialog closes only through its button.
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
                ? `Remove passkey “${nameText(doing.passkey.name)}”?`
                : 'Remove authenticator app?'
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
            title="Create new recovery codes?"
            confirmLabel="Create new codes"
            isBusy={renew.isPending}
            error={renew.error}
            onConfirm={() => renew.mutate()}
            onClose={close}
          >
            Your current codes stop working immediately. You get ten new codes.
          </ConfirmDialog>
        )}
      </DialogSlot>
    </TitledSection>
  )
}

const countOf = ({ totp, passkeys }: Factors) => passkeys.length + (totp === null ? 0 : 1)

function leadOf(factors: Factors): string {
  if (countOf(factors) > 0)
    return 'You sign in with your password and a code or passkey. A passkey also works without the password.'
  return factors.required
    ? 'Your role requires a second factor.'
    : 'You sign in with your password only. A second factor protects you if the password leaks.'
}

function removalWords(factors: Factors, doing: Doing): string {
  const others = 'All your other sessions end.'
  if (countOf(factors) > 1) return `${others} Your other second factors keep working.`
  const last =
    doing.name === 'remove-totp'
      ? 'The authenticator app is your only second factor'
      : 'This passkey is your only second factor and your only passkey'
  return `${last}. Your recovery codes are removed too${factors.required ? ', and you must set up another second factor before you continue' : ', and the password alone is enough to sign in'}. ${others}`
}
