CREATE INDEX `oidc_model_instances_owner` ON `oidc_model_instances` (`tenant_id`,`account_id`,`model_name`) WHERE "account_id" is not null and "grant_id" is null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_owner_client` ON `oidc_model_instances` (`tenant_id`,`client_id`,`model_name`) WHERE "client_id" is not null and "grant_id" is null;--> statement-breakpoint
DROP INDEX `oidc_model_instances_expires_at`;--> statement-breakpoint
DROP INDEX `oidc_model_instances_account_id`;--> statement-breakpoint
DROP INDEX `oidc_model_instances_grant_id`;--> statement-breakpoint
DROP INDEX `oidc_model_instances_session_uid`;--> statement-breakpoint
DROP INDEX `oidc_model_instances_client_id`;--> statement-breakpoint
DROP INDEX `counters_expires_at`;--> statement-breakpoint
DROP INDEX `trusted_browsers_last_seen`;
