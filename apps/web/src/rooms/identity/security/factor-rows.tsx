import { Button } from '@mantine/core'
import type { Factors, Passkey } from '@prospect/api-client'
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { canUsePasskeys } from '../passkeys.ts'
import classes from '../profile.module.css'

type Props = {
  factors: Factors
  isBeginning: boolean
  begin: () => void
  addPasskey: () => void
  removeTotp: () => void
  removePasskey: (passkey: Passkey) => void
  renewCodes: () => void
}

export function FactorRows(props: Props) {
  const { totp, passkeys, recoveryCodesLeft } = props.factors
  const isEnrolled = totp !== null || passkeys.length > 0
  return (
    <ul>
      <Row
        icon={<IconDeviceMobile size={18} stroke={1.6} aria-hidden />}
        name="Authenticator app"
        text={
          totp === null ? (
            'Not set up'
          ) : (
            <>
              Set up <DateTime at={totp.enrolledAt} as="date" />
            </>
          )
        }
      >
        <Button variant="default" loading={props.isBeginning} onClick={props.begin}>
          {totp === null ? 'Set up…' : 'Replace…'}
        </Button>
        {totp !== null && (
          <Button variant="default" onClick={props.removeTotp} aria-label="Remove authenticator app">
            Remove…
          </Button>
        )}
      </Row>
      {passkeys.map((passkey) => (
        <Row
          key={passkey.id}
          icon={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
          name={nameText(passkey.name)}
          text={
            <>
              Passkey, added <DateTime at={passkey.createdAt} as="date" />,{' '}
              {passkey.lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <DateTime at={passkey.lastUsedAt} />
                </>
              )}
            </>
          }
        >
          <Button
            variant="default"
            onClick={() => props.removePasskey(passkey)}
            aria-label={`Remove passkey ${nameText(passkey.name)}`}
          >
            Remove…
          </Button>
        </Row>
      ))}
      {(canUsePasskeys() || passkeys.length === 0) && (
        <Row
          icon={<IconFingerprint size={18} stroke={1.6} aria-hidden />}
          name={passkeys.length === 0 ? 'Passkeys' : 'Another passkey'}
          text={passkeys.length === 0 ? 'None' : 'You can add a passkey for each of your devices'}
        >
          {canUsePasskeys() && (
            <Button variant="default" onClick={props.addPasskey}>
              Add passkey…
            </Button>
          )}
        </Row>
      )}
      {isEnrolled && (
        <Row
          icon={<IconLifebuoy size={18} stroke={1.6} aria-hidden />}
          name="Recovery codes"
          text={
            <span className={recoveryCodesLeft <= 2 ? classes.few : undefined}>
              {recoveryCodesLeft === 0
                ? 'No codes left. Create new codes now'
                : `${recoveryCodesLeft} of 10 left${recoveryCodesLeft <= 2 ? '. Create new codes soon' : ''}`}
            </span>
          }
        >
          <Button variant="default" onClick={props.renewCodes}>
            Create new codes…
          </Button>
        </Row>
      )}
    </ul>
  )
}

function Row({ icon, name, text, children }: { icon: ReactNode; name: string; text: ReactNode; children?: ReactNode }) {
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>{icon}</span>
      <div className={classes.rowText}>
        <p>{name}</p>
        <p>{text}</p>
      </div>
      <div className={classes.rowActions}>{children}</div>
    </li>
  )
}
