ALTER TABLE `applications` ADD `remember_days` integer;--> statement-breakpoint
ALTER TABLE `roles` ADD `remember_days` integer;