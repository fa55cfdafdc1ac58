import { createHmac, randomBytes } from 'node:crypto'
import { secretsEqual } from '../../../lib/hashing.ts'
import type { Keys } from '../../../store/files/keys.ts'

const DEVICE_BYTES = 16

/** Once an account has a second factor, only where that was shown has its owner signed in: whoever knows the password alone could be anybody. */
type Account = { email: string; hasSecondFactor: boolean }

export type KnownDevices = {
  /** The value of a cookie that says: this account has signed in here, with all that it then had. It opens nothing. */
  issue(account: Account): string
  /** The device, when its cookie is ours and of this account, with what it has now. */
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
