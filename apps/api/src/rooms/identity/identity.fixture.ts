import { newId } from '../../lib/ids.ts'
import { change } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { idIn, type RoomFixture } from '../fixture.ts'
import { systemActor } from './accounts/tenants-and-users.ts'
import { insertPasskey } from './factors/factors.queries.ts'

declare module '../fixture.ts' {
  interface Place {
    tenantId: string
    /** a member who is neither the signed-in user of the client nor any other user that a test signs in */
    userId: string
    invitationId: string
    /** another session of the client's signed-in user */
    sessionId: string
    passkeyId: string
    password: string
  }
}

const NEW_PASSWORD = 'narrow aloe under the wet quarry'
const passkey = { id: 'key', rawId: 'key', type: 'public-key' }
const assertion = { ...passkey, response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' } }
const attestation = { ...passkey, response: { clientDataJSON: 'e30', attestationObject: 'e30' } }
const ofUser = { path: ({ userId }: { userId: string }) => ({ id: userId }), isOfAccounts: true } as const

export const fixture: RoomFixture = {
  records: async ({ client, signIn, password, unique, store }) => {
    const session = await client.get('/session')
    const tenantId = idIn(session, 'tenant.id')
    const invite = (name: string) =>
      client.post('/users', { email: `${name}@guest.example`, name: 'A guest', role: 'viewer' })
    const joining = unique()
    const token = idIn(await invite(joining), 'link.token')
    await client.post('/one-time-links/use', { token, password: NEW_PASSWORD })
    const users = await client.get('/users?limit=200')
    const invited = await invite(unique())
    await invite(unique())
    return {
      tenantId,
      userId: userOf(users.body, `${joining}@guest.example`),
      invitationId: idIn(invited, 'invitation.id'),
      sessionId: idIn(await (await signIn()).get('/session'), 'sessionId'),
      password,
      ...(store === undefined ? {} : { passkeyId: await addPasskey(store, tenantId) }),
    }
  },
  cases: {
    signIn: {
      permission: 'open',
      body: { email: 'nobody@guest.example', password: 'not the password', code: '123456' },
      isOfAccounts: true,
      answers: 401,
    },
    passkeySignInOptions: { permission: 'open', body: {}, isOfAccounts: true },
    signInWithPasskey: { permission: 'open', body: { passkey: assertion }, isOfAccounts: true, answers: 401 },
    getCompanySignIn: { permission: 'open', isOfAccounts: true },
    beginCompanySignIn: { permission: 'open', body: {}, isOfAccounts: true, answers: 422 },
    signInWithCompany: {
      permission: 'open',
      body: { idToken: 'not a token', state: 'not a state' },
      otherBodies: [{ error: 'access_denied' }],
      isOfAccounts: true,
      answers: 422,
    },
    getCompanyIdentities: { permission: null },
    beginCompanyLink: { permission: null, body: {}, isOfAccounts: true, answers: 422 },
    linkCompanyIdentity: {
      permission: null,
      body: { idToken: 'not a token', state: 'not a state' },
      otherBodies: [{ error: 'access_denied' }],
      isOfAccounts: true,
      answers: 422,
    },
    unlinkCompanyIdentity: { permission: null, path: ({ passkeyId }) => ({ id: passkeyId }), answers: 404 },
    getSession: { permission: null },
    signOut: { permission: null, endsSessions: true },
    passkeyProofOptions: { permission: null, body: {}, isOfAccounts: true },
    proveSecondFactor: {
      permission: null,
      body: ({ password }) => ({ password }),
      otherBodies: [{ code: '123456' }, { recoveryCode: 'not a code' }, { passkey: assertion }],
      isOfAccounts: true,
      endsSessions: true,
    },
    switchTenant: {
      permission: null,
      body: ({ tenantId }) => ({ tenantId }),
      refersTo: { tenantId: { names: 'tenantId', answers: 404 } },
      isOfAccounts: true,
      endsSessions: true,
    },
    listOwnSessions: { permission: null },
    revokeOwnSession: {
      permission: null,
      path: ({ sessionId }) => ({ id: sessionId }),
      isOfItsMaker: true,
      answersAgain: 404,
    },
    revokeOtherSessions: { permission: null, endsSessions: true },
    changePassword: {
      permission: null,
      body: ({ password }) => ({ currentPassword: password, newPassword: NEW_PASSWORD }),
      isOfAccounts: true,
      endsSessions: true,
    },
    getFactors: { permission: null },
    beginEnrolment: { permission: null, body: {}, isOfAccounts: true },
    confirmEnrolment: { permission: null, body: { code: '123456' }, isOfAccounts: true, answers: 422 },
    removeTotp: { permission: null, answers: 404 },
    renewRecoveryCodes: { permission: null, body: {}, isOfAccounts: true, answers: 409 },
    passkeyCreationOptions: { permission: null, body: {}, isOfAccounts: true },
    addPasskey: { permission: null, body: { name: 'A key', passkey: attestation }, isOfAccounts: true, answers: 422 },
    removePasskey: { permission: null, path: ({ passkeyId }) => ({ id: passkeyId }), answers: 404 },
    listUsers: { permission: 'users.manage' },
    inviteUser: {
      permission: 'users.manage',
      body: { email: 'somebody@guest.example', name: 'Somebody', role: 'viewer' },
      isOfAccounts: true,
    },
    listInvitations: { permission: 'users.manage' },
    withdrawInvitation: {
      permission: 'users.manage',
      path: ({ invitationId }) => ({ id: invitationId }),
      answersAgain: 404,
    },
    getUser: { ...ofUser, permission: 'users.manage' },
    editUser: {
      permission: 'users.manage',
      ...ofUser,
      body: { name: 'Another name', role: 'operator', status: 'active' },
    },
    resetPassword: { permission: 'users.manage', ...ofUser, body: {} },
    resetFactors: { permission: 'users.manage', ...ofUser, body: {} },
    revokeSessionsOfUser: { permission: 'users.manage', ...ofUser, body: {} },
    removeUser: { permission: 'users.manage', ...ofUser, answersAgain: 404 },
    checkLink: { permission: 'open', body: { token: 'not a token' }, isOfAccounts: true, answers: 422 },
    useLink: {
      permission: 'open',
      body: { token: 'not a token', password: NEW_PASSWORD },
      isOfAccounts: true,
      answers: 422,
    },
    getTenant: { permission: null },
    editTenant: {
      permission: 'tenant.configure',
      body: {
        name: 'Another name',
        timeZone: 'Africa/Windhoek',
        country: 'NA',
        locale: 'en-NA',
        suppressionReviewMonths: 12,
        tokensAllowed: true,
      },
    },
    listRoles: { permission: null },
    listAssignees: { permission: null },
  },
}

function userOf(users: unknown, email: string): string {
  const { items } = users as { items: { id: string; email: string }[] }
  const found = items.find((user) => user.email === email)
  if (found === undefined) throw new Error('The guest has not joined.')
  return found.id
}

/**
 * Inserts a passkey directly, because registering it would need an authenticator. It belongs to a user who never signs in: a user with a passkey
 * would have to prove it at sign-in.
 */
async function addPasskey(store: Store, tenantId: string): Promise<string> {
  const id = newId()
  const actor = systemActor('command line', tenantId)
  await change(store, actor, { permission: null, action: 'mfa.enrol' }, async (tx) => {
    const { id: userId } = await tx.db
      .selectFrom('users')
      .innerJoin('memberships', 'memberships.user_id', 'users.id')
      .select('users.id')
      .where('memberships.tenant_id', '=', tenantId)
      .where('users.email', 'like', '%@guest.example')
      .executeTakeFirstOrThrow()
    await insertPasskey(tx.db, {
      id,
      user_id: userId,
      credential_id: newId(),
      public_key: '',
      counter: 0,
      transports: '[]',
      name: 'A key',
      created_at: tx.at,
    })
    await tx.record({ subject: { type: 'user', id: userId } })
  })
  return id
}
