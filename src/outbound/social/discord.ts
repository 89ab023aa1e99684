import { z } from 'zod'
import { codeFlowConnector } from './code-flow.ts'

/** Signs in with Discord: https://docs.discord.com/developers/topics/oauth2 */
export const discord = codeFlowConnector({
  factoryId: 'discord-universal',
  description: { en: 'Sign in with a Discord account' },
  endpoints: {
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/v10/oauth2/token',
    userInfo: 'https://discord.com/api/v10/users/@me',
  },
  scope: 'identify email',
  hasPkce: true,
  user: z.object({
    id: z.string(),
    username: z.string().nullish(),
    avatar: z.string().nullish(),
    email: z.string().nullish(),
    verified: z.boolean().nullish(),
  }),
  profile: ({ id, username, avatar, email, verified }) => ({
    id,
    name: username,
    avatar: avatar && `https://cdn.discordapp.com/avatars/${id}/${avatar}`,
    email: verified === true ? email : null,
  }),
})
