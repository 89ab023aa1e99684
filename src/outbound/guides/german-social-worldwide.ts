import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/** The German setup guides for social providers used worldwide. */
export const worldwideGuides = {
  'google-universal': `Erstellen Sie einen OAuth-Client in der [Google Cloud Console](https://console.cloud.google.com/apis/credentials).

1. Wählen oder erstellen Sie ein Projekt.
2. Beschreiben Sie unter *Google Auth Platform* Ihre Anwendung: Name, Supportadresse und die Zielgruppe **External**, es sei
   denn, nur Personen aus Ihrer eigenen Organisation melden sich an.
3. Unter *Data access* genügen die Scopes \`openid\`, \`email\` und \`profile\`. Google muss sie nicht prüfen.
4. Erstellen Sie unter *Clients* einen Client vom Typ **Web application**.
5. Tragen Sie unter *Authorized redirect URIs* diese Adresse ein: \`{{callbackUrl}}\`
6. Kopieren Sie, was Google anzeigt. Nur hier wird das Secret vollständig angezeigt.

Die Felder:

- **Client-ID** (\`clientId\`): Sie endet auf \`.apps.googleusercontent.com\`.
- **Client-Secret** (\`clientSecret\`): Es beginnt mit \`GOCSPX-\`.

Häufige Fehler:

- \`redirect_uri_mismatch\`: Die Adresse bei Google weicht ab, oft durch \`http\` statt \`https\` oder einen Schrägstrich am Ende.
  Eine Änderung kann ein paar Minuten dauern.
- Nur Testbenutzer können sich anmelden: Die Anwendung hat noch den Status *Testing*. Veröffentlichen Sie sie.`,

  'apple-universal': `Für „Mit Apple anmelden“ müssen Sie Mitglied im [Apple Developer Program](https://developer.apple.com/account/resources/identifiers/list) sein.

1. Erstellen Sie unter *Identifiers* eine **App ID** mit der Fähigkeit *Sign in with Apple*, falls Ihre App noch keine hat.
2. Erstellen Sie eine **Services ID**. Ihr Bezeichner ist die Client-ID. Schalten Sie *Sign in with Apple* ein und richten Sie es
   ein: Wählen Sie diese App ID als primäre, geben Sie unter *Domains* Ihren Host ein und diese Return URL: \`{{callbackUrl}}\`
3. Erstellen Sie unter *Keys* einen Schlüssel mit *Sign in with Apple* für diese App ID und laden Sie die Datei herunter. Das geht nur einmal.

Die Felder:

- **Services ID** (\`clientId\`): zum Beispiel \`com.example.web\`, nicht die Bundle-ID einer App.
- **Team ID** (\`teamId\`): zehn Zeichen, oben rechts auf der Entwicklerseite.
- **Key ID** (\`keyId\`): zehn Zeichen, beim Schlüssel und im Namen seiner Datei.
- **Privater Schlüssel** (\`privateKey\`): der ganze Inhalt der \`.p8\`-Datei mit der ersten und der letzten Zeile.

Häufige Fehler:

- \`invalid_client\`: Der Schlüssel gehört zu einem anderen Team oder wurde widerrufen, oder Sie haben die Bundle-ID als Client-ID eingegeben.
- Apple nimmt keine Return URLs mit \`http\`, \`localhost\` oder einer IP-Adresse an.
- Benutzer können ihre Adresse verbergen. Apple leitet dann nur Mails von Absendern weiter, die bei Apple registriert sind.`,

  'microsoft-entra-universal': `Registrieren Sie eine Anwendung im [Microsoft Entra Admin Center](https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade).

1. Wählen Sie *New registration*, und unter *Supported account types*, wer sich anmelden kann.
2. Wählen Sie für den Redirect-URI die Plattform **Web** und geben Sie ein: \`{{callbackUrl}}\`
3. Erstellen Sie unter *Certificates & secrets* ein Client-Secret und kopieren Sie sofort seinen **Wert**.
4. Fügen Sie unter *Token configuration* dem ID-Token die optionalen Claims \`email\` und \`xms_edov\` hinzu: Ohne \`xms_edov\`
   weiß Vestibule nicht, wem die Adresse einer Organisation gehört, und übernimmt keine.

Die Felder:

- **Client-ID** (\`clientId\`): *Application (client) ID* auf der Übersichtsseite.
- **Client-Secret** (\`clientSecret\`): der Wert des Secrets, nicht seine ID.
- **Mandant** (\`tenantId\`): \`common\`, \`organizations\`, \`consumers\` oder die *Directory (tenant) ID* einer Organisation.
  Er muss zu den Kontotypen der Registrierung passen.

Häufige Fehler:

- \`AADSTS7000215\`: Sie haben die ID des Secrets statt seines Werts eingegeben, oder es ist abgelaufen. Notieren Sie sich das Ablaufdatum.
- \`AADSTS50011\`: Der Redirect-URI ist für die Plattform *Single-page application* registriert. Es muss *Web* sein.`,

  'github-universal': `Erstellen Sie eine OAuth-App in den [Entwicklereinstellungen von GitHub](https://github.com/settings/developers) oder in denen einer Organisation.

1. Wählen Sie *OAuth Apps*, *New OAuth app*. Eine GitHub App funktioniert auch, wenn sie die Kontoberechtigung *Email addresses:
   read-only* hat, aber eine OAuth-App ist einfacher.
2. Geben Sie den Namen ein, den Benutzer sehen, und als *Homepage URL* die Adresse Ihres Produkts.
3. Geben Sie diese *Authorization callback URL* ein: \`{{callbackUrl}}\`
4. Lassen Sie *Enable Device Flow* aus, registrieren Sie die App und wählen Sie *Generate a new client secret*.

Die Felder:

- **Client-ID** (\`clientId\`): auf der Seite der App.
- **Client-Secret** (\`clientSecret\`): 40 Zeichen, nur einmal angezeigt.

Häufige Fehler:

- *The redirect_uri is not associated with this application*: Host oder Pfad weichen von der Callback-Adresse bei GitHub ab.
  Eine OAuth-App hat nur eine Callback-Adresse. Benutzen Sie deshalb je Host eine eigene App.`,

  'facebook-universal': `Erstellen Sie eine App bei [Meta for Developers](https://developers.facebook.com/apps/).

1. Wählen Sie den Anwendungsfall *Authenticate and request data from users with Facebook Login*.
2. Geben Sie in den Einstellungen von *Facebook Login* unter *Valid OAuth Redirect URIs* ein: \`{{callbackUrl}}\`
3. Lassen Sie *Client OAuth login*, *Web OAuth login* und *Enforce HTTPS* eingeschaltet.
4. Fügen Sie zu \`public_profile\` die Berechtigung \`email\` hinzu.
5. Geben Sie die Datenschutzerklärung, die Adresse zum Löschen von Daten und die Kategorie an, und schalten Sie die App auf **Live**.

Die Felder:

- **Client-ID** (\`clientId\`): die *App ID* unter *App settings*, *Basic*.
- **Client-Secret** (\`clientSecret\`): das *App secret* auf derselben Seite.

Häufige Fehler:

- *URL blocked*: Der Redirect-URI fehlt unter *Valid OAuth Redirect URIs*.
- Nur Sie können sich anmelden: Die App ist noch im Entwicklungsmodus.
- Sie bekommen keine Adresse: Die Berechtigung \`email\` fehlt, oder das Konto hat nur eine Telefonnummer.`,

  'x-universal': `Erstellen Sie eine App in der [Entwicklerkonsole von X](https://console.x.com/).

1. Erstellen Sie ein Projekt mit einer App, und öffnen Sie *User authentication settings*.
2. Wählen Sie die App-Berechtigung **Read** und den Typ **Web App**, einen vertraulichen Client.
3. Geben Sie diese *Callback URI* ein: \`{{callbackUrl}}\`
4. Speichern Sie, und kopieren Sie Client-ID und Secret für OAuth 2.0. Das Secret wird nur einmal angezeigt.

Die Felder:

- **Client-ID** (\`clientId\`): die ID für *OAuth 2.0*.
- **Client-Secret** (\`clientSecret\`): das Secret für *OAuth 2.0*.

Häufige Fehler:

- \`unauthorized_client\`: Sie haben den API Key und sein Secret eingegeben. Diese sind für OAuth 1.0a.
- X liefert keine Adresse. Wenn zur Registrierung eine E-Mail-Adresse gehört, werden Benutzer danach gefragt.
- Der Tarif der App begrenzt, wie viele Profile sie im Monat lesen kann.`,

  'linkedin-universal': `Erstellen Sie eine App bei [LinkedIn Developers](https://www.linkedin.com/developers/apps).

1. Eine App gehört zu einer Unternehmensseite bei LinkedIn, und ein Administrator der Seite muss sie bestätigen.
2. Beantragen Sie unter *Products* **Sign In with LinkedIn using OpenID Connect**.
3. Fügen Sie unter *Auth* diese *Authorized redirect URL* hinzu: \`{{callbackUrl}}\`
4. Kopieren Sie die Zugangsdaten oben auf derselben Seite.

Die Felder:

- **Client-ID** (\`clientId\`): unter *Application credentials*.
- **Client-Secret** (\`clientSecret\`): das *Primary client secret* auf derselben Seite.

Häufige Fehler:

- \`unauthorized_scope_error\`: Das Produkt fehlt, oder nur das ältere *Sign In with LinkedIn* ist aktiv.
- \`redirect_uri\` does not match: Die Adresse wird als Ganzes verglichen, ohne Parameter.`,

  'discord-universal': `Erstellen Sie eine Anwendung im [Discord Developer Portal](https://discord.com/developers/applications).

1. Wählen Sie *New Application* und geben Sie den Namen ein, den Benutzer sehen.
2. Fügen Sie unter *OAuth2* bei *Redirects* hinzu: \`{{callbackUrl}}\`
3. Wählen Sie auf derselben Seite *Reset Secret* und kopieren Sie das Secret. Es wird nur einmal angezeigt.
4. Sie brauchen weder einen Bot noch weitere Scopes: \`identify\` und \`email\` werden automatisch angefragt.

Die Felder:

- **Client-ID** (\`clientId\`): die *Client ID* unter *OAuth2*, eine lange Zahl.
- **Client-Secret** (\`clientSecret\`): auf derselben Seite; nicht das Token eines Bots oder der Public Key.

Häufige Fehler:

- *Invalid OAuth2 redirect_uri*: Die Änderungen auf der Seite wurden nicht gespeichert, oder die Adresse weicht ab.
- Sie bekommen keine Adresse, wenn der Benutzer sie bei Discord nicht bestätigt hat.`,
} satisfies Partial<Record<SocialFactoryId, string>>
