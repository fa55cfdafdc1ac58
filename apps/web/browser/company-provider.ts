import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

const CLIENT_ID = 'prospect-platform'
/** An address, because the app is at `localhost`: the two are different sites, so the browser sends no cookie with the provider's answer. */
const PROVIDER_HOST = '127.0.0.1'

export type CompanyProvider = {
  /** settings of the API */
  settings: Record<string, string>
  /** the browser or program of each request so far */
  agents: string[]
  /** registers the app, whose address is known only after it has started with the settings */
  register(appUrl: string): void
  stop(): Promise<void>
}

/** Starts an OpenID provider on this machine, whose people sign in by any name and password, and writes its public key to a file. */
export async function startCompanyProvider(): Promise<CompanyProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const agents: string[] = []
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent'] ?? '')
    answer(request, response)
  })
  server.listen(0, PROVIDER_HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://${PROVIDER_HOST}:${port}`

  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const named = { kid: 'browser tests', use: 'sig', alg: 'RS256' }
  const folder = await mkdtemp(join(tmpdir(), 'prospect-browser-jwks-'))
  const file = join(folder, 'jwks.json')
  await writeFile(file, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), ...named }] }))
  const secretKey = { ...(await exportJWK(privateKey)), ...named }

  return {
    settings: {
      OIDC_NAME: 'Example Directory',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_AUTHORIZATION_ENDPOINT: `${issuer}/auth`,
      OIDC_JWKS_FILE: file,
    },
    agents,
    register(appUrl) {
      const provider = new Provider(issuer, {
        jwks: { keys: [secretKey] },
        clients: [
          {
            client_id: CLIENT_ID,
            redirect_uris: [`${appUrl}/sign-in/company`],
            response_types: ['id_token'],
            grant_types: ['implicit'],
            token_endpoint_auth_method: 'none',
            // A client of the type web cannot have a redirect to this machine.
            application_type: 'native',
          },
        ],
        responseTypes: ['id_token'],
        cookies: { keys: ['a key of the browser tests'] },
        findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      })
      answer = provider.callback()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
