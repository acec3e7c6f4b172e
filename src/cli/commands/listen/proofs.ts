// How senders of webhooks prove who they are: secrets from the environment or the profile, never from the command line.
import { isSecret } from '../../../delivery/signature.ts'
import { isCredential } from '../../../domain/keys.ts'
import type { Fault, Read } from '../../../domain/errors.ts'
import type { Context } from '../../command/context.ts'
import { variable } from '../../terminal/io.ts'
import type { Proofs } from './accepting.ts'

/** The fault of a text that is not the signing secret of a webhook. */
export const secretFault = 'must be whsec_ and 24 to 64 bytes in base64, as shipx webhooks set prints them'

/** The proofs that apply, with their faults; no fault repeats a secret. Throws as `chosenProfile`. */
export function proofsOf({ io, profile }: Pick<Context, 'io' | 'profile'>, unsigned: boolean): Read<Proofs> {
  const environment = variable(io, 'SHIPX_WEBHOOK_SECRET')
  // Several, while one takes the place of another.
  const secrets = (environment ?? profile()?.profile.webhook_secret ?? '').split(/\s+/).filter((text) => text !== '')
  const api_key = variable(io, 'SHIPX_WEBHOOK_API_KEY')
  const faults: Fault[] = []
  if (secrets.some((secret) => !isSecret(secret)))
    faults.push({
      field: environment === undefined ? 'webhook_secret of the profile' : 'SHIPX_WEBHOOK_SECRET',
      message: secretFault,
    })
  if (api_key !== undefined && !isCredential(api_key))
    faults.push({
      field: 'SHIPX_WEBHOOK_API_KEY',
      message: 'must be 8 to 512 visible ASCII characters without spaces',
    })
  const none = secrets.length === 0 && api_key === undefined
  if (none && !unsigned)
    faults.push({
      field: 'SHIPX_WEBHOOK_SECRET',
      message: 'is required: the signing secret of the webhook; --unsigned is for a service that does not sign',
    })
  if (!none && unsigned) faults.push({ field: '--unsigned', message: 'and a secret of webhooks exclude each other' })
  return { value: { secrets, api_key }, faults }
}
