/** Fictional connectors for the OpenAPI examples. */
import { createdAt, ids, tenantId } from './openapi-example-facts.ts'

export const smtp = {
  host: 'smtp.example.com',
  port: 587,
  auth: { type: 'login', user: 'mailer', pass: 'the password of the mailer' },
  fromEmail: 'Example <no-reply@example.com>',
}
export const connectorFactory = {
  type: 'Social',
  id: 'github-universal',
  target: 'github',
  platform: 'Universal',
  name: { en: 'GitHub' },
  logo: '/connectors/github.svg',
  logoDark: '/connectors/github-dark.svg',
  description: { en: 'Sign in with a GitHub account' },
  readme:
    'Create an OAuth app in the [developer settings of ' +
    'GitHub](https://github.com/settings/developers).\n\n1. Enter `{{callbackUrl}}` as the ' +
    '*Authorization callback URL*.',
  callbackUrl: 'https://id.example.com/callback/{id}',
  formItems: [
    { key: 'clientId', label: 'Client ID', type: 'Text', required: true },
    { key: 'clientSecret', label: 'Client secret', type: 'Text', required: true, isSecret: true },
  ],
  hasCheck: true,
  isDemo: false,
}
export const messageTemplate = { subject: '{{code}} is your code', content: '<p>{{code}}</p>' }
export const messagePreview = {
  subject: '000000 is your code',
  text: null,
  html: '<p>000000</p>',
  builtIn: { subject: 'Your code to sign in', text: 'Your code: {{code}}', html: '<p>{{code}}</p>' },
}
const testId = 'Zq1wXsE3rFvT5gByH7jNmK'
export const signInTest = {
  testId,
  uri: `https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&state=sign-in-test.${testId}&redirect_uri=https%3A%2F%2Fid.example.com%2Fcallback%2F${ids.connector}`,
  expiresAt: createdAt + 600_000,
}
export const signInTestOutcome = {
  status: 'succeeded',
  profile: { id: '583231', email: 'octocat@example.com', name: 'Mona Lisa' },
  remarks: [],
  expiresAt: signInTest.expiresAt,
}
export const connector = {
  ...connectorFactory,
  id: ids.connector,
  tenantId,
  connectorId: connectorFactory.id,
  readme: '',
  callbackUrl: `https://id.example.com/callback/${ids.connector}`,
  syncProfile: false,
  metadata: {},
  config: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: '********' },
  createdAt,
}
