import { defineFacts } from '../define-facts.ts'

export const tokenFacts = defineFacts({
  room: 'tokens',
  permissions: {
    'tokens.manage': { role: 'manager', label: 'See and revoke the access tokens of all members' },
  },
  errors: {
    token_invalid: [401, 'Access token not valid'],
    tokens_off: [403, 'Access tokens are switched off'],
  },
  securityActions: {
    'token.create': 'Access token created',
    'token.revoke': 'Access token revoked',
    'token.refuse': 'Access token refused',
  },
  auditSubjects: {
    token: { label: 'Access token', hidden: 'is about accounts' },
  },
})
