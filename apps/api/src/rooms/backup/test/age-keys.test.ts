import { expect, test } from 'vitest'
import { newIdentity, requireIdentities, requireRecipients } from '../age-keys.ts'

test('accepts public keys separated by commas and lines, with comments', async () => {
  const [one, two] = [await newIdentity(), await newIdentity()]
  expect(requireRecipients(`# the desk\n${one.recipient}, \n\n${two.recipient} # the vault\n`)).toEqual([
    one.recipient,
    two.recipient,
  ])
  expect(requireIdentities(`# public key: ${one.recipient}\n${one.identity}\n`)).toEqual([one.identity])
})

test('a secret key among the public ones is refused and not repeated', async () => {
  const { identity, recipient } = await newIdentity()
  const refusal = (() => {
    try {
      requireRecipients(`${recipient},${identity}`)
      return ''
    } catch (error) {
      return String(error)
    }
  })()
  expect(refusal).toContain('must not be on this server')
  expect(refusal).not.toContain(identity)
})

test.each([
  '',
  'age1',
  'ssh-ed25519 AAAA',
  Array(21)
    .fill(`age1${'q'.repeat(58)}`)
    .join(','),
])('no public keys: %j', (text) => {
  expect(() => requireRecipients(text)).toThrow('public age keys')
})

test.each(['', 'age1qqqqqqqqqqqqqqqqqqqqqqqqqq', 'secret words'])('no identity: %j', (text) => {
  expect(() => requireIdentities(text)).toThrow('no secret age key')
})
