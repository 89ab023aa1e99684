import type { SocialProfile } from '../../../src/contract/interactions/interaction.ts'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'

/** An account as a provider returns it, with the expected profile. */
type SocialAccount = {
  /** A response with every field that the provider can return, and the expected profile. */
  full: [answer: object, profile: SocialProfile]
  /** A response with the fewest fields that the provider can return. */
  minimal: object
  /** A response with unverified addresses, or undefined if the provider never returns any. */
  unverified?: object
  /** A response without an id. */
  noId: object
}

const avatar = 'https://images.example/ann.png'
const ann = { name: 'Ann', avatar, email: 'ann@example.com' }

const claims = {
  sub: 'ann-1',
  name: 'Ann',
  picture: avatar,
  email: ann.email,
  email_verified: true,
  phone_number: '+33 6 12 34 56 78',
  phone_number_verified: true,
}
const claimed: SocialAccount = {
  full: [claims, { id: 'ann-1', ...ann, phone: '33612345678' }],
  minimal: { sub: 'ann-1' },
  unverified: { ...claims, email_verified: false, phone_number_verified: undefined },
  noId: { ...claims, sub: '' },
}

const facebook = { id: '77', name: 'Ann', email: ann.email, picture: { data: { url: avatar } } }
const github = { id: 583231, name: 'Ann', email: 'public@example.com', avatar_url: avatar }
const discord = { id: '80351', username: 'Ann', avatar: 'a1b2', email: ann.email, verified: true }
const kakao = {
  profile: { nickname: 'Ann', profile_image_url: avatar, is_default_image: false },
  email: ann.email,
  is_email_valid: true,
  is_email_verified: true,
}
const naver = { id: 'n-1', nickname: 'Ann', profile_image: avatar, email: ann.email }
const feishu = { sub: 'ou-1', name: 'Ann', avatar_url: avatar, email: ann.email, mobile: '+8613800000000' }
const wechat = { openid: 'o-1', unionid: 'u-1', nickname: 'Ann', headimgurl: avatar }
const alipay = { code: '10000', msg: 'Success', user_id: '2088', nick_name: 'Ann', avatar }
const oauth2 = { user: { key: 42 }, mail: ann.email, tel: '+33 612 345 678', login: 'Ann', picture: avatar }

export const socialAccounts: Record<SocialFactoryId, SocialAccount> = {
  'google-universal': claimed,
  'linkedin-universal': claimed,
  oidc: claimed,
  'apple-universal': {
    // The name comes from the form, not from the token.
    full: [
      { sub: 'ann-1', email: ann.email, email_verified: 'true' },
      { id: 'ann-1', name: 'Ann Lee', email: ann.email },
    ],
    minimal: { sub: 'ann-1' },
    unverified: { sub: 'ann-1', email: ann.email, email_verified: 'false' },
    noId: { sub: '', email: ann.email, email_verified: 'true' },
  },
  'microsoft-entra-universal': {
    full: [
      { sub: 'ann-1', name: 'Ann', email: ann.email, xms_edov: '1', oid: 'o', preferred_username: ann.email },
      { id: 'ann-1', name: 'Ann', email: ann.email },
    ],
    minimal: { sub: 'ann-1' },
    unverified: { sub: 'ann-1', name: 'Ann', email: ann.email, preferred_username: ann.email },
    noId: { sub: '', oid: 'o' },
  },
  'github-universal': {
    full: [github, { id: '583231', ...ann }],
    minimal: { id: 583231, name: null, email: null, avatar_url: null },
    unverified: github,
    noId: { ...github, id: '' },
  },
  'facebook-universal': {
    full: [facebook, { id: '77', ...ann }],
    minimal: { id: '77' },
    noId: { ...facebook, id: '' },
  },
  'x-universal': {
    full: [
      { data: { id: '12', name: 'Ann', username: 'ann', profile_image_url: avatar } },
      { id: '12', name: 'Ann', avatar },
    ],
    minimal: { data: { id: '12' } },
    noId: { data: { id: '', name: 'Ann' } },
  },
  'discord-universal': {
    full: [discord, { id: '80351', ...ann, avatar: 'https://cdn.discordapp.com/avatars/80351/a1b2' }],
    minimal: { id: '80351', avatar: null },
    unverified: { ...discord, verified: false },
    noId: { ...discord, id: '' },
  },
  'kakao-universal': {
    full: [
      { id: 9007, kakao_account: kakao },
      { id: '9007', ...ann },
    ],
    minimal: { id: 9007, kakao_account: { profile: { profile_image_url: avatar, is_default_image: true } } },
    unverified: { id: 9007, kakao_account: { ...kakao, is_email_verified: false } },
    noId: { id: '', kakao_account: kakao },
  },
  'naver-universal': {
    full: [
      { resultcode: '00', message: 'success', response: naver },
      { id: 'n-1', ...ann },
    ],
    minimal: { resultcode: '00', response: { id: 'n-1' } },
    noId: { resultcode: '00', response: { ...naver, id: '' } },
  },
  'feishu-web': {
    full: [feishu, { id: 'ou-1', ...ann, phone: '8613800000000' }],
    minimal: { sub: 'ou-1', email: '', mobile: '' },
    noId: { ...feishu, sub: '' },
  },
  'wechat-web': {
    full: [wechat, { id: 'u-1', name: 'Ann', avatar }],
    minimal: { openid: 'o-1' },
    noId: { ...wechat, openid: '', unionid: '' },
  },
  'alipay-web': {
    full: [alipay, { id: '2088', name: 'Ann', avatar }],
    minimal: { code: '10000', open_id: '074a' },
    noId: { ...alipay, user_id: '' },
  },
  oauth2: {
    full: [oauth2, { id: '42', ...ann, phone: '33612345678' }],
    minimal: { user: { key: 42 } },
    noId: { ...oauth2, user: { key: '' } },
  },
}

/** The ids of minimal accounts, where they differ from those of full accounts. */
export const minimalIds: Partial<Record<SocialFactoryId, string>> = {
  'wechat-web': 'o-1',
  'alipay-web': '074a',
}
