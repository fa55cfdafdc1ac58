import { createPublicKey, hash, randomInt, randomUUID, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import {
  type Client,
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  numberAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'a registry round asks about no blocked value, blocks what the registry lists, and ends with a certificate that verifies without the service',
        run: closeRound,
      },
    ],
  },
]

async function closeRound(world: World): Promise<string> {
  const { administrator, operator, viewer, neighbour } = world
  const [listed, free, blocked] = [randomNumber(), randomNumber(), randomNumber()]
  const id = await newProspect(world, { phones: [{ value: listed }] })
  await newProspect(world, { phones: [{ value: free }] })
  await newProspect(world, { phones: [{ value: blocked }] })
  const entry = { kind: 'phone', value: blocked, reason: 'They asked.', channel: 'phone' }
  expectStatus(await operator.post('/suppressions', entry), 201, 'a suppression')
  await cancelOpenRound(administrator)

  const asked = { kinds: ['phone'], form: 'plain' }
  const key = () => ({ 'idempotency-key': randomUUID() })
  expectRefusal(await viewer.post('/registry-rounds', asked, key()), 403, 'permission_denied', 'a round by a viewer')
  const started = expectStatus(await administrator.post('/registry-rounds', asked, key()), 202, 'a round').body
  const path = `/registry-rounds/${textAt(started, 'id')}`
  expectRefusal(
    await administrator.post('/registry-rounds', asked, key()),
    409,
    'registry_round_open',
    'a second open round',
  )
  await untilRound(administrator, path, (round) => find(round, 'state') === 'awaiting_result')
  const file = expectStatus(await administrator.get(`${path}/file`), 200, 'the file').text
  expectThat(file.includes(listed) && file.includes(free), 'The file lacks a value of the workspace.')
  expectThat(!file.includes(blocked), 'The file contains a suppressed number.')
  expectRefusal(await neighbour.get(`${path}/file`), 404, 'not_found', 'the file for another tenant')

  const result = `round,value\n${textAt(started, 'id')},${listed}\n`
  const sent = await administrator.send('POST', `${path}/results`, {
    text: result,
    headers: { 'content-type': 'text/csv' },
  })
  expectStatus(sent, 202, 'a result')
  const read = await untilRound(administrator, path, (round) => find(round, 'result.status') !== 'reading')
  expectThat(find(read, 'result.counts.hits') === 1, 'The result does not have one hit.')
  const resultSha256 = hash('sha256', result)
  const confirmation = { resultSha256, reason: 'Listed by the registry.' }
  expectStatus(await administrator.post(`${path}/confirmation`, confirmation), 202, 'a confirmation')
  await untilRound(administrator, path, (round) => find(round, 'state') === 'closed')
  const { body: record } = await administrator.get(`/businesses/${id}`)
  expectThat(find(record, 'doNotContact') !== null, 'The listed number is not blocked.')
  const check = expectStatus(await administrator.get('/registry-state'), 200, 'the state').body
  expectThat(find(check, 'isDue') === false, 'The workspace is due for another round.')

  const { body: certificate } = expectStatus(await administrator.get(`${path}/certificate`), 200, 'the certificate')
  expectThat(isGenuine(certificate), 'The signature of the certificate is not valid.')
  expectThat(find(certificate, 'statement.result.sha256') === resultSha256, 'The certificate is about another result.')
  const added = numberAt(certificate, 'statement.outcome.added')
  return `The file left out the blocked number; ${added} listed number was blocked; the certificate verified with its key alone.`
}

/** Numbers of a mobile network that are unlikely to be in the service already. */
const randomNumber = () => `+2782${randomInt(1_000_000, 9_999_999)}`

/** A workspace has one open round. That of an earlier run that stopped is cancelled. */
async function cancelOpenRound(client: Client): Promise<void> {
  const { body } = expectStatus(await client.get('/registry-rounds'), 200, 'the rounds')
  const open = listAt(body, 'items').find(
    (round) => find(round, 'closedAt') === null && find(round, 'cancelledAt') === null,
  )
  if (open === undefined) return
  const reason = 'Acceptance starts another round.'
  expectStatus(
    await client.post(`/registry-rounds/${textAt(open, 'id')}/cancellation`, { reason }),
    200,
    'a cancelled round',
  )
}

function untilRound(client: Client, path: string, isThere: (round: unknown) => boolean): Promise<unknown> {
  return untilThere(async () => {
    const { body } = await client.get(path)
    return isThere(body) ? body : undefined
  })
}

/** Verifies a certificate as a reader without the service does: by canonical JSON and Ed25519. */
function isGenuine(certificate: unknown): boolean {
  const bytes = canonicalize(['prospect-platform registry certificate', find(certificate, 'statement')]) ?? ''
  const key = createPublicKey(textAt(certificate, 'publicKey'))
  return verify(null, Buffer.from(bytes), key, Buffer.from(textAt(certificate, 'signature'), 'base64url'))
}
