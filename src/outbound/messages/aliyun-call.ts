import { RequiredText, secretItem } from '../fields.ts'
import { computeHmac } from '../hmac.ts'
import type { MessageContext } from './message.ts'
import { postToProvider } from './message-call.ts'

export const aliyunFields = { accessKeyId: RequiredText, accessKeySecret: RequiredText }
export const aliyunItems = [
  secretItem('accessKeyId', 'Access key ID'),
  secretItem('accessKeySecret', 'Access key secret'),
]

/**
 * Makes a call in Alibaba Cloud's RPC style, signed as described at
 * https://help.aliyun.com/document_detail/315526.html. `action` contains the parameters Action and Version, and the
 * action's own parameters.
 */
export async function callAliyun(
  endpoint: string,
  { accessKeyId, accessKeySecret }: { accessKeyId: string; accessKeySecret: string },
  action: Record<string, string>,
  context: MessageContext,
): Promise<string> {
  const parameters: Record<string, string> = {
    AccessKeyId: accessKeyId,
    Format: 'JSON',
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: crypto.randomUUID(),
    Timestamp: new Date(context.now()).toISOString().replace(/\.\d{3}/, ''),
    ...action,
  }
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&')
  const signature = computeHmac('sha1', `${accessKeySecret}&`, `POST&${encode('/')}&${encode(query)}`)
  return postToProvider(
    {
      url: endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `${query}&Signature=${encode(signature.toString('base64'))}`,
    },
    context,
  )
}

/** Encodes everything but the unreserved characters of RFC 3986. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
