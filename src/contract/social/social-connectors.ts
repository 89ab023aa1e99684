/**
 * The social connectors that can be installed, with the data that pages and settings need
 * (spec/connectors#social-connectors).
 */

type SocialPlatform = 'Web' | 'Native' | 'Universal'

export type SocialFactory = {
  target: string
  platform: SocialPlatform
  /** The name by language tag. English is the fallback. */
  name: Record<string, string>
  /** The file name of a logo in `client/public`. `logoDark` is for dark themes, on which `logo` would be invisible. */
  logo: string
  logoDark?: string
  /** If true, several connectors of this kind may be installed, each with its own target, name and logo. */
  isStandard?: boolean
}

export const socialFactories = {
  'google-universal': {
    target: 'google',
    platform: 'Universal',
    name: { en: 'Google' },
    logo: '/connectors/google.svg',
  },
  'apple-universal': {
    target: 'apple',
    platform: 'Universal',
    name: { en: 'Apple' },
    logo: '/connectors/apple.svg',
    logoDark: '/connectors/apple-dark.svg',
  },
  'microsoft-entra-universal': {
    target: 'microsoft-entra',
    platform: 'Universal',
    name: { en: 'Microsoft' },
    logo: '/connectors/microsoft-entra.svg',
  },
  'github-universal': {
    target: 'github',
    platform: 'Universal',
    name: { en: 'GitHub' },
    logo: '/connectors/github.svg',
    logoDark: '/connectors/github-dark.svg',
  },
  'facebook-universal': {
    target: 'facebook',
    platform: 'Universal',
    name: { en: 'Facebook' },
    logo: '/connectors/facebook.svg',
  },
  'x-universal': {
    target: 'x',
    platform: 'Universal',
    name: { en: 'X' },
    logo: '/connectors/x.svg',
    logoDark: '/connectors/x-dark.svg',
  },
  'linkedin-universal': {
    target: 'linkedin',
    platform: 'Universal',
    name: { en: 'LinkedIn' },
    logo: '/connectors/linkedin.svg',
  },
  'discord-universal': {
    target: 'discord',
    platform: 'Universal',
    name: { en: 'Discord' },
    logo: '/connectors/discord.svg',
  },
  'kakao-universal': {
    target: 'kakao',
    platform: 'Universal',
    name: { en: 'Kakao', ko: '카카오' },
    logo: '/connectors/kakao.svg',
  },
  'naver-universal': {
    target: 'naver',
    platform: 'Universal',
    name: { en: 'Naver', ko: '네이버' },
    logo: '/connectors/naver.svg',
  },
  'feishu-web': {
    target: 'feishu',
    platform: 'Web',
    name: { en: 'Feishu', 'zh-CN': '飞书' },
    logo: '/connectors/feishu.svg',
  },
  'wechat-web': {
    target: 'wechat',
    platform: 'Web',
    name: { en: 'WeChat', 'zh-CN': '微信' },
    logo: '/connectors/wechat.svg',
  },
  'alipay-web': {
    target: 'alipay',
    platform: 'Web',
    name: { en: 'Alipay', 'zh-CN': '支付宝' },
    logo: '/connectors/alipay.svg',
  },
  oidc: {
    target: 'oidc',
    platform: 'Universal',
    name: { en: 'OpenID Connect' },
    logo: '/connectors/oidc.svg',
    isStandard: true,
  },
  oauth2: {
    target: 'oauth2',
    platform: 'Universal',
    name: { en: 'OAuth 2.0' },
    logo: '/connectors/oauth2.svg',
    isStandard: true,
  },
} as const satisfies Record<string, SocialFactory>

export type SocialFactoryId = keyof typeof socialFactories

/**
 * Returns a social factory, or null for message connectors and for factories that this version of the Worker does not
 * have.
 */
export function findSocialFactory(factoryId: string): SocialFactory | null {
  const rows: Record<string, SocialFactory> = socialFactories
  return Object.hasOwn(rows, factoryId) ? (rows[factoryId] ?? null) : null
}
