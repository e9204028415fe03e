import { Module } from '@nestjs/common';
import { Env } from '@heddle/config';
import { ObjectStore } from './object-store.js';
import { openObjectStore } from './open-object-store.js';

const objectStore = { provide: ObjectStore, inject: [Env], useFactory: openObjectStore };

/** Where the files of an instance are. */
@Module({ providers: [objectStore], exports: [objectStore] })
export class StorageModule {}
