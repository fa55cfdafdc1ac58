/** Public module of the tokens room: how a request with an access token is admitted. */

export { tokenAdmission } from './admit-token.ts'
export { grantablePermissions } from './token-permissions.ts'
