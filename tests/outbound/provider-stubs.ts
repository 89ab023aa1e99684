import { createHash, createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { credentials, encodeForAliyun, providerSecrets } from './provider-secrets.ts'

export type ProviderCall = { method: string; url: string; headers: Record<string, string>; body: string }
/**
 * The checks and responses of a provider. They follow the provider's documentation and use node:crypto
 * instead of the product's code. `refusal` is a response with status 200 that nevertheless rejects the
 * message.
 */
type ProviderStub = {
  problem(call: ProviderCall): string | null
  status: number
  answer: unknown
  refusal?: unknown
}

const header = (name: string, expected: string) => (call: ProviderCall) =>
  call.headers[name] === expected ? null : `${name} is ${call.headers[name]}`
const basic = (user: string, password: string) =>
  header('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)

export const providerStubs: Record<string, ProviderStub> = {
  'sendgrid-email-service': {
    problem: header('authorization', `Bearer ${providerSecrets.token}`),
    status: 202,
    answer: '',
  },
  'mailgun-email': {
    problem: basic('api', providerSecrets.token),
    status: 200,
    answer: { id: '<1@mg.example.com>', message: 'Queued. Thank you.' },
  },
  'postmark-email': {
    problem: header('x-postmark-server-token', providerSecrets.token),
    status: 200,
    answer: { To: 'a@example.com', MessageID: 'b7bc2f4a', ErrorCode: 0, Message: 'OK' },
    refusal: { ErrorCode: 406, Message: 'Inactive recipient' },
  },
  'resend-email': {
    problem: header('authorization', `Bearer ${providerSecrets.token}`),
    status: 200,
    answer: { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' },
  },
  'aws-ses-mail': { problem: awsProblem, status: 200, answer: { MessageId: '0100018-000000' } },
  'aliyun-direct-mail': {
    problem: aliyunProblem,
    status: 200,
    answer: { RequestId: '12D086F6', EnvId: '600000' },
    refusal: { RequestId: '12D086F6', Code: 'InvalidMailAddress.NotFound', Message: 'not found' },
  },
  'http-email': {
    problem: header('authorization', `Bearer ${providerSecrets.token}`),
    status: 204,
    answer: '',
  },
  'http-sms': { problem: webhookProblem, status: 200, answer: 'thanks' },
  'twilio-short-message-service': {
    problem: basic(credentials.twilio, providerSecrets.token),
    status: 201,
    answer: { sid: 'SM1', status: 'accepted' },
  },
  'aliyun-short-message-service': {
    problem: aliyunProblem,
    status: 200,
    answer: { Code: 'OK', Message: 'OK', BizId: '9006', RequestId: 'F655A8D5' },
    refusal: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发分钟级流控', RequestId: 'F655A8D5' },
  },
  'tencent-short-message-service': {
    problem: tencentProblem,
    status: 200,
    answer: { Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success' }], RequestId: 'a0aabda6' } },
    refusal: {
      Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' }, RequestId: 'a0' },
    },
  },
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest()

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function awsProblem({ method, url, headers, body }: ProviderCall): string | null {
  const { authorization = '', 'x-amz-date': time = '' } = headers
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
      authorization,
    ) ?? []
  const [keyId, date = '', region = '', service = '', end = ''] = scope.split('/')
  if (keyId !== credentials.accessKeyId || region !== 'eu-central-1' || service !== 'ses')
    return `scope ${scope}`
  if (!names.split(';').includes('host') || !names.split(';').includes('x-amz-date')) return `signed ${names}`
  const signed = names
    .split(';')
    .map((name) => `${name}:${headers[name]}\n`)
    .join('')
  const request = [method, url, '', signed, names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope.slice(keyId.length + 1), sha256(request)].join('\n')
  const key = [region, service, end].reduce(chainHmac, hmac(`AWS4${providerSecrets.accessKeySecret}`, date))
  return hmac(key, text).toString('hex') === signature ? dateProblem(date, time.slice(0, 8)) : 'signature'
}
const chainHmac = (key: Buffer, text: string) => hmac(key, text)
const dateProblem = (signed: string, sent: string) => (signed === sent ? null : 'date')

/** https://cloud.tencent.com/document/api/382/52072 */
function tencentProblem({ method, url, headers, body }: ProviderCall): string | null {
  const { authorization = '', 'x-tc-timestamp': time = '', 'x-tc-action': action } = headers
  const [, scope = '', names = '', signature = ''] =
    /^TC3-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
      authorization,
    ) ?? []
  const [keyId, date = '', service = '', end] = scope.split('/')
  if (keyId !== credentials.accessKeyId || service !== 'sms' || end !== 'tc3_request') return `scope ${scope}`
  if (action !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11') return 'action'
  const signed = names
    .split(';')
    .map((name) => `${name}:${headers[name]}\n`)
    .join('')
  const request = [method, url, '', signed, names, sha256(body)].join('\n')
  const text = ['TC3-HMAC-SHA256', time, `${date}/${service}/tc3_request`, sha256(request)].join('\n')
  const key = [service, 'tc3_request'].reduce(chainHmac, hmac(`TC3${providerSecrets.accessKeySecret}`, date))
  const day = new Date(Number(time) * 1000).toISOString().slice(0, 10)
  return hmac(key, text).toString('hex') === signature ? dateProblem(date, day) : 'signature'
}

/** https://help.aliyun.com/document_detail/315526.html */
function aliyunProblem({ method, body }: ProviderCall): string | null {
  const parameters = new URLSearchParams(body)
  const signature = parameters.get('Signature')
  parameters.delete('Signature')
  if (parameters.get('AccessKeyId') !== credentials.accessKeyId) return 'AccessKeyId'
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(parameters.get('Timestamp') ?? '')) return 'Timestamp'
  const query = [...parameters]
    .map(([name, value]) => `${encodeForAliyun(name)}=${encodeForAliyun(value)}`)
    .sort()
    .join('&')
  const text = `${method}&%2F&${encodeForAliyun(query)}`
  return hmac(`${providerSecrets.accessKeySecret}&`, text, 'sha1').toString('base64') === signature
    ? null
    : 'signature'
}

/** Verifies the signature with the library published by the specification's authors. */
function webhookProblem({ headers, body }: ProviderCall): string | null {
  try {
    new Webhook(providerSecrets.token, { format: 'raw' }).verify(body, headers)
    return null
  } catch (error) {
    return String(error)
  }
}
