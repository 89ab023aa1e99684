import { hmacOf } from '../hmac.ts'
import type { MessageContext } from './message.ts'
import { postToProvider } from './message-call.ts'

type AliyunCall = {
  endpoint: string
  accessKeyId: string
  accessKeySecret: string
  /** Action, Version and the parameters of the action. */
  parameters: Record<string, string>
}

/** One call of Alibaba Cloud's RPC style, signed as https://help.aliyun.com/document_detail/315526.html says. */
export async function aliyunCall(call: AliyunCall, context: MessageContext): Promise<string> {
  const parameters: Record<string, string> = {
    AccessKeyId: call.accessKeyId,
    Format: 'JSON',
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: crypto.randomUUID(),
    Timestamp: new Date(context.now()).toISOString().replace(/\.\d{3}/, ''),
    ...call.parameters,
  }
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&')
  const signature = await hmacOf('SHA-1', `${call.accessKeySecret}&`, `POST&${encode('/')}&${encode(query)}`)
  return postToProvider(
    {
      url: call.endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `${query}&Signature=${encode(signature.toBase64())}`,
    },
    context,
  )
}

/** RFC 3986: everything but the unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
