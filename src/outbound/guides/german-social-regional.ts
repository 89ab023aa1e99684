import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'

/** The German setup guides for regional and generic social providers. */
export const regionalGuides = {
  'kakao-universal': `Erstellen Sie eine Anwendung bei [Kakao Developers](https://developers.kakao.com/console/app).

1. Schalten Sie unter *Kakao Login* die Anmeldung ein, und fügen Sie diesen Redirect-URI hinzu: \`{{callbackUrl}}\`
2. Wählen Sie unter *Consent items* den Spitznamen, das Profilbild und bei Bedarf die Adresse des Kakao Accounts. Für die
   Adresse braucht es eine bestätigte Geschäftsanwendung.
3. Erzeugen Sie unter *Security* (Client Secret) ein Secret und schalten Sie es ein.

Die Felder:

- **Client-ID** (\`clientId\`): der *REST API key*.
- **Client-Secret** (\`clientSecret\`): das Secret aus Schritt 3.

Häufige Fehler:

- \`KOE006\`: Der Redirect-URI ist nicht registriert. \`KOE010\`: Das Client-Secret ist falsch oder nicht eingeschaltet.
- Native App Key, JavaScript Key und Admin Key funktionieren hier nicht.`,

  'naver-universal': `Registrieren Sie eine Anwendung bei [NAVER Developers](https://developers.naver.com/apps/).

1. Wählen Sie *Application registration* und die API **Naver Login**.
2. Wählen Sie, was Ihr Produkt vom Profil braucht: Spitzname, Profilbild, E-Mail-Adresse.
3. Fügen Sie die Umgebung **PC web** mit der Adresse Ihres Produkts und dieser Callback-Adresse hinzu: \`{{callbackUrl}}\`
4. Solange die Anwendung in Entwicklung ist, fügen Sie die Konten hinzu, die sie testen. Beantragen Sie dann die Prüfung.

Die Felder:

- **Client-ID** (\`clientId\`): in der Übersicht der Anwendung.
- **Client-Secret** (\`clientSecret\`): auf derselben Seite; wählen Sie *Anzeigen*.

Häufige Fehler:

- Nur eingetragene Konten können sich anmelden: Die Prüfung ist noch nicht abgeschlossen.
- Sie bekommen nur dann eine Adresse, wenn sie als Pflichtangabe gewählt ist oder der Benutzer zustimmt.`,

  'feishu-web': `Erstellen Sie eine eigene App auf der [Feishu Open Platform](https://open.feishu.cn/app).

1. Wählen Sie *Create custom app*. Mitglieder Ihrer Organisation können sich damit anmelden.
2. Fügen Sie unter *Security settings* diese Redirect-Adresse hinzu: \`{{callbackUrl}}\`
3. Fügen Sie unter *Permissions* bei Bedarf die E-Mail-Adresse und die Mobilnummer des Benutzers hinzu.
4. Erstellen Sie eine Version, und lassen Sie sie von einem Administrator der Organisation freigeben.

Die Felder:

- **App ID** (\`appId\`): unter *Credentials and basic info*. Sie beginnt mit \`cli_\`.
- **App Secret** (\`appSecret\`): auf derselben Seite.

Häufige Fehler:

- Fehler 20029: Die Redirect-Adresse ist nicht registriert oder weicht ab.
- Eine Berechtigung wirkt erst, wenn die nächste Version freigegeben ist.
- Eine App von Lark, der internationalen Ausgabe, braucht andere Endpunkte: Geben Sie sie in den optionalen Feldern ein.`,

  'wechat-web': `Registrieren Sie eine Website-Anwendung auf der [WeChat Open Platform](https://open.weixin.qq.com/). Benutzer melden sich an, indem sie mit dem Telefon einen Code scannen.

1. Das Konto der Plattform braucht ein bestätigtes Unternehmen (Entwicklerqualifikation, mit jährlicher Gebühr).
2. Erstellen Sie eine **Website-Anwendung** und warten Sie auf ihre Prüfung.
3. WeChat prüft nur den Host der Callback-Adresse. Geben Sie als Domain des Callbacks den Host von
   \`{{callbackUrl}}\` ein, ohne \`https://\` und ohne Pfad.
4. Kopieren Sie die AppID und erzeugen Sie das AppSecret. Es wird nur einmal angezeigt.

Die Felder:

- **App ID** (\`appId\`): Sie beginnt mit \`wx\`.
- **App Secret** (\`appSecret\`): 32 Zeichen.

Häufige Fehler:

- *redirect_uri parameter error*: Die Domain ist falsch oder wurde mit Schema oder Pfad eingegeben.
- Die AppID eines offiziellen Kontos oder eines Mini-Programms funktioniert hier nicht.
- WeChat liefert weder eine E-Mail-Adresse noch eine Telefonnummer.`,

  'alipay-web': `Erstellen Sie eine Web-Anwendung auf der [Alipay Open Platform](https://open.alipay.com/develop/manage).

1. Erstellen Sie eine *Web- und Mobilanwendung*, und fügen Sie die Fähigkeit hinzu, Mitgliedsdaten abzurufen.
2. Erstellen Sie in den Entwicklungseinstellungen mit dem Schlüsselwerkzeug von Alipay ein Schlüsselpaar, und laden Sie den
   **öffentlichen** Schlüssel der Anwendung hoch (RSA2). Bewahren Sie den privaten auf.
3. Geben Sie diese Adresse für den Callback der Autorisierung ein: \`{{callbackUrl}}\`
4. Reichen Sie die Anwendung ein. Sie funktioniert, sobald sie geprüft ist.

Die Felder:

- **App ID** (\`appId\`): 16 Ziffern, oben bei der Anwendung.
- **Privater Schlüssel** (\`privateKey\`): der Schlüssel der Anwendung, als PEM oder als der Base64-Text, den das Werkzeug ausgibt.
- **Signatur** (\`signType\`): \`RSA2\`, außer wenn der hochgeladene Schlüssel für \`RSA\` ist.
- **Zeichensatz** (\`charset\`): \`utf8\`.

Häufige Fehler:

- *invalid-signature*: Der private Schlüssel passt nicht zum hochgeladenen öffentlichen, oder Sie haben den öffentlichen Schlüssel von Alipay eingegeben.
- *insufficient-isv-permissions*: Die Fähigkeit fehlt oder wird noch geprüft.
- Alipay liefert weder eine E-Mail-Adresse noch eine Telefonnummer.`,

  oidc: `Funktioniert mit jedem Anbieter, der [OpenID Connect](https://openid.net/developers/how-connect-works/) unterstützt: einem anderen Mandanten, Okta, Auth0, Keycloak, GitLab oder Ihrem eigenen.

1. Registrieren Sie beim Anbieter einen Client vom Typ *Webanwendung* mit dem Authorization Code Flow.
2. Geben Sie diesen Redirect-URI (oder diese *Callback URL*) ein: \`{{callbackUrl}}\`
3. Suchen Sie den Issuer. Seine Metadaten stehen unter dem Issuer, gefolgt von \`/.well-known/openid-configuration\`, und ihr
   \`issuer\` muss genau das sein, was Sie hier eingeben.

Die Felder:

- **Issuer** (\`issuer\`): die Adresse, unter der Endpunkte und Schlüssel gefunden werden. Ohne ihn geben Sie beide Endpunkte und
  \`idTokenVerificationConfig\` ein.
- **Client-ID** (\`clientId\`) und **Client-Secret** (\`clientSecret\`): die des Clients aus Schritt 1.
- **Client-Authentifizierung** (\`tokenEndpointAuthMethod\`): wie für den Client registriert; voreingestellt ist \`client_secret_post\`.
- **Scope** (\`scope\`): Voreingestellt ist \`openid profile email\`.

Der Konnektor braucht außerdem einen Namen für seinen Button und den Namen des Anbieters in Konten (\`metadata.target\`), unter
dem Identitäten gespeichert werden. Dieser lässt sich später nicht ändern. Ein Logo ist nicht nötig.

Häufige Fehler:

- Die Metadaten gehören zu einem anderen Issuer: Sie haben den Pfad des Issuers weggelassen, etwa in \`https://id.example.com/realms/main\`.
- \`invalid_client\`: Der Anbieter erwartet \`client_secret_basic\`.
- Sie bekommen keine Adresse: Weder das ID-Token noch Userinfo enthält \`email\` zusammen mit \`email_verified\`. Signierte
  Userinfo wird nicht gelesen: Registrieren Sie den Client ohne \`userinfo_signed_response_alg\`.`,

  oauth2: `Funktioniert mit einem Anbieter, der [OAuth 2.0](https://datatracker.ietf.org/doc/html/rfc6749) unterstützt und einen Endpunkt für das Profil hat. Unterstützt er OpenID Connect, benutzen Sie stattdessen den Konnektor dafür.

1. Registrieren Sie beim Anbieter einen vertraulichen Client mit dem Authorization Code Flow.
2. Geben Sie diesen Redirect-URI (oder diese *Callback URL*) ein: \`{{callbackUrl}}\`
3. Lesen Sie in der Dokumentation des Anbieters nach, was Token-Endpunkt und Profil-Endpunkt zurückgeben.

Die Felder:

- **Autorisierungsendpunkt** (\`authorizationEndpoint\`): die Adresse, zu der der Browser geht.
- **Token-Endpunkt** (\`tokenEndpoint\`) und **Userinfo-Endpunkt** (\`userInfoEndpoint\`): die Adressen, die dieser Server aufruft.
- **Client-ID** (\`clientId\`) und **Client-Secret** (\`clientSecret\`): die des Clients aus Schritt 1.
- **Scope** (\`scope\`): die Scopes, die das Profil verlangt, durch Leerzeichen getrennt.
- **Format der Token-Antwort** (\`tokenEndpointResponseType\`): \`json\` bei fast allen heutigen Anbietern.
- **Zuordnung des Profils** (\`profileMap\`): wo die Werte stehen, zum Beispiel \`{"id": "user.id", "name": "user.login"}\`. Eine
  Adresse zählt nur, wenn sie hier steht: Führen Sie sie nur auf, wenn der Anbieter Adressen bestätigt. Eine Telefonnummer muss
  mit \`+\` und der Ländervorwahl beginnen.

Der Konnektor braucht außerdem einen Namen für seinen Button und den Namen des Anbieters in Konten (\`metadata.target\`), unter
dem Identitäten gespeichert werden. Dieser lässt sich später nicht ändern. Ein Logo ist nicht nötig.

Häufige Fehler:

- *invalid_response*: Der Token-Endpunkt gibt JSON zurück, aber das Feld steht auf \`query-string\`.
- Alle werden derselbe Benutzer: \`id\` in der Zuordnung zeigt auf einen Wert, der nicht die ID des Kontos ist.`,
} satisfies Partial<Record<SocialFactoryId, string>>
