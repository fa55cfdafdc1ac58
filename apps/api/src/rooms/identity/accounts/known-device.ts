import { createHmac, randomBytes } from 'node:crypto'
import { secretsEqual } from '../../../lib/hashing.ts'
import type { Keys } from '../../../store/files/keys.ts'

const DEVICE_BYTES = 16

/**
 * The account for which a device is known. `hasSecondFactor`: whether the account has a second factor now. If so, only a browser that proved the
 * second factor is known, because a password alone can be stolen.
 */
type Account = { email: string; hasSecondFactor: boolean }

export type KnownDevices = {
  /**
   * Returns the value of a cookie that proves that this account has signed in here with every factor that it then had. The cookie grants no access.
   */
  issue(account: Account): string
  /** Returns the id of the device if the cookie is valid for this account and the device proved the account's current factors. */
  recognise(account: Account, cookie: string | undefined): string | undefined
}

export function knownDevices(keys: Keys): KnownDevices {
  const key = keys.derive('device')
  const seal = ({ email, hasSecondFactor }: Account, device: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify(hasSecondFactor ? [email, device, 'second factor'] : [email, device]))
      .digest('base64url')
  return {
    issue: (account) => {
      const device = randomBytes(DEVICE_BYTES).toString('base64url')
      return `${device}.${seal(account, device)}`
    },
    recognise: (account, cookie = '') => {
      const [device = '', signature = ''] = cookie.split('.')
      return device !== '' && secretsEqual(signature, seal(account, device)) ? device : undefined
    },
  }
}
