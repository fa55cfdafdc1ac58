import { createHmac, randomBytes } from 'node:crypto'
import { secretsEqual } from '../../../lib/hashing.ts'
import type { Keys } from '../../../store/keys.ts'

const DEVICE_BYTES = 16

export type KnownDevices = {
  /** The value of a cookie that says: this account has signed in here. It opens nothing. */
  issue(account: string): string
  /** The device, when its cookie is ours and of this account. */
  recognise(account: string, cookie: string | undefined): string | undefined
}

export function knownDevices(keys: Keys): KnownDevices {
  const key = keys.derive('device')
  const seal = (account: string, device: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([account, device]))
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
